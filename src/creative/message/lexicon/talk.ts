// Words between the people who make an advertisement, which are not part of it: greetings, thanks, who it is for,
// what it may cost, when the draft is due. A star matches any ending.

import { listsOf } from '../languages/languages.ts'
import type { WordLists } from '../phrases.ts'

/** A clause with only this, perhaps with the person addressed, is a greeting. */
export const GREETINGS = listsOf('greetings')

/** To whom a greeting is said. */
export const GREETED: WordLists = {
  all: `équipe|alla|allihop|allihopa|teamet|gänget|equipo de|squadra|ekibe|ekibi|team|all|everyone|everybody|there|folks|guys|colleagues|zusammen|ihr|lieben|leute|kollegen|à tous|tous|toutes|
    equipo|a todos|todos|chicos|a tutti|tutti|ragazzi|equipe|pessoal|gente|time|allemaal|collega|team leden|wszystkim|
    wszystkich|państwu|zespole|ekip|herkese|arkadaşlar|anh|chị|bạn|mọi người|cả nhà|σας|σε όλους|παιδιά|всем|команда|
    коллеги|усім|всім|команда|टीम|जी|सर|לכולם|לכם|צוות|بكم|جميعا|وسهلا|ทีมงาน|ค่ะ|ครับ|tým|týme|kolegové|všichni|všem|tim|semua|semuanya|teman teman|kakak|kak|bapak|ibu|min|rekan rekan|amigos|vänner|người|ekip arkadaşlar`,
}

/** A clause that contains one of these is talk, and is omitted. */
export const TALK = listsOf('talk')

/** A sentence that contains one of these is about the work, from beginning to end. */
export const BRIEFING = listsOf('briefing')

/** “Whatever you like”: a message with only this has no content. */
export const ANYTHING: WordLists = {
  all: `whatever you think|whatever works|you choose|you pick|mach mal|macht mal|mach einfach|something nice|something cool|something pretty|something good|anything nice|anything you like|whatever you like|was schönes|was nettes machen|irgendwas schönes|quelque chose de joli|quelque chose de beau|quelque chose de sympa|algo bonito|algo lindo|algo chulo|qualcosa di bello|
    qualcosa di carino|algo legal|algo bacana|iets leuks|iets moois|coś ładnego|coś fajnego|güzel bir şey|bir şeyler yap*|cái gì đó đẹp|gì đó đẹp|gì cũng được|κάτι ωραίο|κάτι όμορφο|κάτι καλό|что нибудь красивое|что то красивое|что нибудь интересное|щось гарне|щось красиве|कुछ अच्छा|कुछ सुंदर|
    شيئا جميلا|شيئاً جميلاً|شيء جميل|شيئا حلو|شي حلو|משהו יפה|משהו נחמד|משהו מגניב|อะไรก็ได้|สวยๆ|สวย ๆ|なんでもいい|何でもいい|いい感じに|いい感じの|適当に|아무거나|예쁘게 만들|알아서 해|随便|隨便|好看的|你们决定|你們決定|看着办|看著辦|něco hezkého|něco pěkného|cokoliv hezkého|sesuatu yang bagus|sesuatu yang menarik|apa saja|apa aja|terserah`,
}

/** Ends a letter; a name that follows is the signature. */
export const SIGN_OFFS: WordLists = {
  all: `regards|best regards|kind regards|cheers|thanks|thank you|many thanks|best|xx|grüße|gruß|viele grüße|liebe grüße|lg|vg|mfg|danke|cordialement|bien à vous|merci|à bientôt|saludos|un saludo|un abrazo|gracias|saluti|cordiali saluti|un saluto|grazie|a presto|
    cumprimentos|abraço|um abraço|obrigado|obrigada|atenciosamente|groet|groeten|groetjes|met vriendelijke groet|mvg|bedankt|pozdrawiam|pozdrowienia|dziękuję|dzięki|hälsningar|vänliga hälsningar|med vänlig hälsning|mvh|tack|saygılar*|sevgiler|teşekkür*|trân trọng|thân ái|cảm ơn|
    φιλικά|με εκτίμηση|ευχαριστώ|с уважением|спасибо|з повагою|дякую|सादर|धन्यवाद|تحياتي|مع التحية|شكرا|שלום רב|בברכה|תודה|ขอบคุณ|よろしく|감사합니다|드림|谢谢|謝謝|感謝|感谢|敬上|s pozdravem|děkuji|děkuju|díky|s přátelským pozdravem|terima kasih|makasih|salam|salam hangat|hormat kami`,
}
