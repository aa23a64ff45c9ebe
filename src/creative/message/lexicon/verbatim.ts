// How people say that quoted words should be printed verbatim. Single words, so that the text around a quotation can
// be distinguished from copy: all of it must consist of these.

import type { WordLists } from '../phrases.ts'

/** Asks for it. */
export const PRINTING: WordLists = {
  all: `use|using|write|say|print|put|insert|set|show|run|please|pls|exactly|verbatim|literally|unchanged|imposed|mandatory|required|
    verwende|verwendet|verwenden|nutze|nutzt|nutzen|schreib|schreibe|schreibt|schreiben|setze|setzt|nimm|nehmt|drucke|druckt|bitte|wörtlich|genau|exakt|unverändert|
    utilise|utilisez|utiliser|écris|écrivez|écrire|mets|mettez|mettre|reprends|reprenez|reprendre|inscrivez|affichez|textuellement|exactement|imposé|imposée|imposés|obligatoire|svp|
    usa|usá|use|usen|usad|usar|utiliza|utilizar|utilicen|escribe|escribí|escriban|escribid|escribir|pon|poné|pongan|poned|poner|literal|literalmente|exacto|exacta|exactamente|textual|textualmente|obligatorio|obligatoria|
    usate|usare|utilizza|utilizzate|utilizzare|scrivi|scrivete|scrivere|metti|mettete|mettere|inserisci|inserite|inserire|riporta|riportate|letteralmente|testualmente|esatto|esatta|esattamente|obbligatorio|
    usem|utilize|utilizem|escreva|escrevam|escreve|escrever|coloque|coloquem|coloca|colocar|ponha|ponham|põe|exato|exata|exatamente|obrigatório|
    gebruik|gebruiken|schrijf|schrijven|zet|zetten|plaats|plaatsen|letterlijk|precies|exact|ongewijzigd|verplicht|verplichte|
    użyj|użyjcie|użyć|napisz|napiszcie|napisać|wstaw|wstawcie|umieść|umieśćcie|dosłownie|dokładnie|koniecznie|
    använd|använda|skriv|skriva|sätt|sätta|ordagrant|precis|oförändrat|kullan|kullanın|yaz|yazın|yazsın|aynen|birebir|
    dùng|viết|ghi|nguyên văn|chính xác|y nguyên|χρησιμοποίησε|χρησιμοποιήστε|γράψε|γράψτε|βάλε|βάλτε|αυτολεξεί|ακριβώς|
    используй|используйте|использовать|напиши|напишите|написать|поставь|поставьте|поставить|дословно|точно|буквально|
    використай|використайте|використати|напишіть|написати|поставте|дослівно|लिखें|लिखिए|लिखना|हूबहू|शब्दशः|
    استخدم|استخدموا|اكتب|اكتبوا|ضعوا|حرفيا|حرفياً|بالضبط|كما هي|תכתבו|כתבו|לכתוב|השתמשו|במדויק|מילה במילה|בדיוק|
    ใช้|เขียน|ใส่|ตามนี้|คำต่อคำ|写上|寫上|写|寫|使用|一字不改|原样|原樣|原文|そのまま|一字一句|書いて|入れて|使って|그대로|써주세요|적어|napiš|napište|napsat|použij|použijte|použít|dej|dejte|vlož|vložte|přesně|doslova|tulis|tuliskan|pakai|gunakan|taruh|cantumkan|persis|tepat|koyun|skall|ضع|ضعي|اكتبي|שימו|תשימו|רשמו|לרשום|写着|寫著|写成|寫成|改成|書く|にして|としてください|로 해|으로 해|라고`,
}

/** What is to be printed, and the small words around it. */
export const PRINTED: WordLists = {
  all: `line|lines|phrase|sentence|words|word|wording|text|copy|quote|slogan|following|this|these|for|as|it|should|must|has|have|to|be|read|reads|say|says|is|with|in|on|
    satz|zeile|spruch|worte|wortlaut|text|folgenden|folgende|diesen|diese|dieser|als|muss|soll|lauten|sein|auf|steht|stehen|
    texte|phrase|ligne|mots|citation|suivant|suivante|ce|cette|comme|doit|être|est|tel quel|mot pour mot|dire|
    frase|texto|línea|siguiente|esta|este|como|debe|tiene|que|ser|decir|es|tal cual|
    testo|riga|seguente|questa|questo|come|deve|essere|dire|linha|seguinte|deve|ser|dizer|
    zin|regel|tekst|woorden|volgende|deze|dit|moet|zijn|luiden|zeggen|zdanie|zdania|fraza|frazę|fraza|tekstu|następujący|ten|ma|musi|brzmieć|jako|
    mening|meningen|fras|frasen|texten|raden|följande|denna|ska|vara|lyda|stå|säga|som|metin|metni|cümle|cümleyi|sloganı|olarak|olsun|şu|
    câu|dòng|chữ|sau|này|là|φράση|κείμενο|το|τη|την|πρέπει|να|είναι|λέει|ως|
    фраза|фразу|текст|строка|строку|слова|следующую|следующий|эту|должен|должна|должно|быть|звучать|как|на|рядок|наступну|наступний|цю|має|бути|звучати|
    वाक्य|यह|होना चाहिए|हो|العبارة|الجملة|النص|التالية|هذه|يجب أن يكون|המשפט|הטקסט|הבא|ข้อความ|ประโยค|文案|句子|这句话|這句話|文言|フレーズ|문구|문장|could|can|may|might|would|will|shall|needs|reading|labelled|labeled|called|there|our|button|sollte|könnte|kann|heißen|heißt|dem|den|der|da|drauf|draufstehen|devrait|pourrait|peut|sur|le|la|il|faut|avec|debería|puede|podría|dirá|en|el|poner|ponga|pone|dovrebbe|può|potrebbe|dica|sul|sulla|il|con|ci|sia|scritto|deveria|pode|poderia|diga|no|na|com|estar|escrito|zou|kan|mag|op|er|staan|worden|powinien|powinno|powinna|może|być|na|niech|będzie|napis|bör|kan|på|det|den|má|mělo|měl|by|být|bude|na|ať|je|tam|stojí|znít|nápis|harus|di|dengan|kata|kalimat|adalah|isinya|ada|yang|üzerinde|üzerine|butonun|yazmalı|trên|nên|hãy|có|thể|στο|στον|στην|θα|ας|γράφει|που|пусть|будет|написано|надпись|со|с|нехай|хай|буде|написано|напис|з|पर|में|लिखा|चाहिए|على|في|عليه|أن|يكون|مكتوب|על|ב|יהיה|שיהיה|כתוב|רשום`,
}

/** A quotation that was already given. */
export const QUOTED_BEFORE: WordLists = {
  all: `that quote|this quote|the quote|their quote|her quote|his quote|that line|this line|that sentence|this sentence|that phrase|those words|these words|diesen satz|dieses zitat|das zitat|den satz|diese worte|cette phrase|cette citation|la citation|ces mots|esa frase|esta frase|esa cita|esta cita|esas palabras|questa frase|quella frase|questa citazione|la citazione|essa frase|essa citação|esta citação|deze zin|die zin|dit citaat|deze quote|die quote|
    ten cytat|tego cytatu|to zdanie|tego zdania|citatet|det citatet|den meningen|tento citát|tuhle větu|tuto větu|kutipan itu|kutipan ini|kalimat itu|kalimat ini|bu cümleyi|bu alıntıyı|bu sözü|câu này|câu đó|trích dẫn này|αυτή τη φράση|αυτό το σχόλιο|эту фразу|эту цитату|эти слова|цю фразу|цю цитату|ці слова|यह वाक्य|इस वाक्य|इस कथन|هذه العبارة|هذه الجملة|هذا الاقتباس|המשפט הזה|הציטוט הזה|הציטוט|ประโยคนี้|คำพูดนี้|この言葉|このフレーズ|このコメント|이 문구|이 문장|이 말을|这句话|這句話|这句|這句`,
}
