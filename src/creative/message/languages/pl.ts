// Polish: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const pl: MessageLanguage = {
  texts: {
    pl: {
      buttons: {
        learn: 'Dowiedz się więcej',
        shop: 'Kup teraz',
        book: 'Zarezerwuj',
        register: 'Zapisz się',
        apply: 'Aplikuj',
        call: 'Zadzwoń',
        order: 'Zamów',
        visit: 'Odwiedź nas',
        download: 'Pobierz aplikację',
        donate: 'Wesprzyj',
      },
      callAt: 'Zadzwoń:',
      sponsored: 'Sponsorowane',
    },
  },
  reading: {
    stopWords:
      'i|w|na|z|do|dla|od|po|jest|się|nie|tylko|nasz|nasza|nasze|twój|przy|za|każdy|wszystkie|już|nowy|nowa|lub|że|bez|oraz|ze|o|to',
    artefacts:
      'baner|wideo|film|spot|banner|reklama|reklamę|reklamy|ogłoszenie|grafikę|grafika|grafiki|plakat|kampanię|kampania|post|kreację|coś',
    make: 'zrób|zróbcie|zrobić|stwórz|stwórzcie|przygotuj|przygotujcie|przygotować|napisz|napiszcie|zaprojektuj*|potrzebuję|potrzebujemy|potrzebna|potrzebny|potrzebne|proszę|prosimy|poproszę|chcę|chcemy|wygeneruj|wykonaj*',
    about: 'dla|o|na temat|promując*|dotycząc*|na',
    askBefore: `ogłoś|ogłoście|opowiedz o|napisz o|napiszcie o|promuj|promujemy|promować|chcemy promować|chcemy wypromować|chcemy zareklamować|reklamujemy|zareklamuj|chodzi o|chcemy poinformować że|promowanie|ogłaszamy`,
    askAfter: null,
    mention:
      'tylko że|powiedz że|wspomnij|wspomnij o|wspomnijcie o|wspomnieć o|podkreśl|podkreślcie|podkreślić|zaznacz|zaznaczcie|zaznacz że|dodaj|dodajcie|uwzględnij|uwzględnijcie|koniecznie|napisz że|pokaż|nie zapomnij o|wyeksponuj*|umieść',
    mentionAfter: null,
    ctaAsk:
      'zachęć do|zachęcić do|zachęćcie do|zachęcamy do|zachęć ludzi do|zachęć żeby|zaproś do|zaproście do|zaproś na|niech ludzie|niech klienci|niech|poproś o|namów do|wezwij do|wezwanie do|skłoń do|zachęcaj do|zachęcajcie do|zachęć ich do|zachęć klientów do|zachęć odbiorców do|zapraszaj do|zaproś ludzi do|zaproś ludzi na|zaproś klientów do|namawiaj do|nakłoń do|nakłoń ludzi do|nakłoniajcie do|skłoń ludzi do|poproś ludzi o|poproście o|zmotywuj do|skieruj ludzi do|wezwijcie do',
    ctaAskAfter: null,
    weWant: `chcemy|chcielibyśmy|chcę|chciałbym|chciałabym|zależy nam na|zależy nam|zależy nam żeby|klient chce|celem jest`,
    wantAfter: null,
    avoid: `nie wspominaj*|nie wspominać|nie pisz|nie piszcie|nie pisać|nie używaj*|nie używać|nie podawaj*|nie podawać|nie mów*|nie mówić|nie wymieniaj*|nie wymieniać|nie dodawaj*|nie umieszczaj*|nie umieszczać|nie obiecuj*|nie obiecywać|nie zamieszczaj*|nie zamieszczać|nie pokazuj*|nie stosuj*|nie stosować|
    unikaj*|unikać|bez wspominania|bez używania|bez podawania|bez słowa|bez słów|słowa|ani słowa|ani słowem|ani słów|nic o|pomiń*|pominąć|bez informacji o|nie może się pojawić|nie chcemy|nie porównuj*|nie porównywać|nie piszmy|nie mówimy|nie wspomnij*|nie trzeba pisać|nie trzeba podawać|nie trzeba wspominać|lepiej nie|wolimy nie|wolałbym nie|wolałabym nie|bez ceny|bez cen|bez wzmianki|bez wzmianek|proszę nie|prosimy nie|nie powinno się pojawić|nie powinno być|ma nie być|nie ma być`,
    manner: `na zdjęciu|duże zdjęcie|nasze kolory|dużo bieli|ilustracj*|ton|tonie|w tonie|styl|w stylu|stylu|grafika ma|ma być|powinno być|powinien być|tło|tle|tłem|logo|czcionk*|liter|literami|kolor|kolory|kolorach|kolorystyk*|układ|w lewym górnym|w prawym górnym|w lewym dolnym|w prawym dolnym|zdjęcie|zdjęcia|wielkimi literami|pogrubion*|użyj|użyjcie|krótko|zwięźle|bez infantylnych|nie za|nie zbyt|utrzymaj|utrzymajcie|wygląd|wyglądało|na luzie|klimat|na pan|na ty|na wesoło|na śmiesznie|z humorem|z przymrużeniem oka|śmiesznie|bez zdjęć|bez zdjęcia|czarno biał*|gra słów|ma być zabawn*|zabawnie|w tonacji`,
    toneWords:
      'lekki|lekka|ciepły|ciepła|wesoły|poważny|przyjazny|spokojny|elegancki|nowoczesny|swobodny|rzeczowy|śmiesznie|śmieszny|humorystyczny|poetycki|serdeczny|prosty|prosto|jasno|zabawny|zabawnie|żartobliwy|żartobliwie|dowcipnie|poważnie|przyjaźnie|ciepło|spokojnie|szczerze|elegancko|pilnie|luźno|formalnie|profesjonalnie|rzeczowo|nowocześnie|młodzieżowo|krótko|ironicznie|wesoło|radośnie|z humorem|na luzie|lekko|zadziornie|śmieszne|zabawne|dowcipny|dowcipne|ciepłe|serio|uprzejmie|sympatycznie|elegancka',
    greetings: 'cześć|dzień dobry|witam|hej|szanown*|drodzy',
    talk: `brief|briefing|krótki brief|w załączeniu|miłej pracy|do usłyszenia|serdecznie|dziękuję|dziękujemy|dzięki|z góry|pozdrawiam|pozdrawiamy|czekam na|czekamy na|proszę o kontakt|w sprawie klienta|piszę z|piszemy z|
    jak ustalaliśmy|jak rozmawialiśmy|zgodnie z ustaleniami|w razie pytań|coś ładnego|coś fajnego|cokolwiek|reszta|według uznania|
    możecie|czy możecie|czy mogą|przesyłam|w załączniku|miłego dnia|dropbox|google drive|wetransfer|link do sklepu|link poda|link wyśle|wyślę|prześlę|dośle*|poda ania|kliknięcia mają|strona docelowa|będę wdzięczn*|w razie czego|dam znać`,
    briefing: `wasze propozycje|makiety|grupy docelowej|nasi odbiorcy|kierujemy|kierowana do|poprzednia kampania|grupa docelowa|grupą docelową|odbiorc*|budżet|szkic|pierwsza wersja|wersję|klient chce|w imieniu klienta|celem|chodzi o to|zależy nam|chcielibyśmy|chciałbym|chciałabym|
    poprzednie instrukcje|zignoruj|zapomnij|akceptacj*|nasi klienci to|większość naszych klientów|dla informacji|do wiadomości|cena wewnętrzna|wewnętrznie|grupa docelowa to`,
  },
}
