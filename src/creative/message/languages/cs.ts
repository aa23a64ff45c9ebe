// Czech: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const cs: MessageLanguage = {
  texts: {
    cs: {
      buttons: {
        learn: 'Zjistit více',
        shop: 'Nakoupit',
        book: 'Rezervovat',
        register: 'Přihlásit se',
        apply: 'Poslat životopis',
        call: 'Zavolejte nám',
        order: 'Objednat',
        visit: 'Navštivte nás',
        download: 'Stáhnout',
        donate: 'Přispět',
      },
      callAt: 'Volejte',
      sponsored: null,
    },
  },
  reading: {
    stopWords:
      'pro|nebo|vaše|nyní|všechny|nové|už|jen|zdarma|až|celou|nový|nová|náš|naše|naši|našeho|naší|který|která|které|jsou|bude|také|ještě|aby|ať|při|ze|ve|ke|si|se|je|to|tak|prosím',
    artefacts:
      'banner|bannery|reklama|reklamu|reklamy|inzerát|inzerátu|plakát|leták|příspěvek|grafiku|grafika|kampaň|spot|video|vizuál|něco',
    make: 'udělej|udělejte|udělat|vytvoř|vytvořte|vytvořit|připrav|připravte|připravit|napiš|napište|navrhni|navrhněte|potřebuji|potřebuju|potřebujeme|potřebovali bychom|prosím|prosíme|chci|chceme|chtěli bychom|zpracujte|nachystejte|vygeneruj*',
    about: 'na|pro|o|k|ke|ohledně|propagující|který propaguje',
    askBefore:
      'propagujte|propaguj|propagujeme|chceme propagovat|chceme zpropagovat|chceme představit|oznamte|oznam|jde o|týká se|reklama na|reklamu na|banner na|inzerát na|řekněte o|napište o|dejte vědět o',
    askAfter: null,
    mention:
      'zmiň|zmiňte|zmínit|uveď|uveďte|uvést|zdůrazni|zdůrazněte|zdůraznit|připomeň|připomeňte|nezapomeň na|nezapomeňte na|nezapomeňte uvést|napište že|napiš že|řekněte že|přidej|přidejte|vyzdvihněte|určitě zmiňte|s důrazem na',
    mentionAfter: null,
    ctaAsk:
      'vyzvi k|vyzvěte k|vyzvěte lidi k|vyzvěte lidi ať|vyzvěte lidi aby|pozvi lidi na|pozvěte lidi na|pozvěte na|pozvěte k|ať lidé|ať si lidé|ať lidi|ať zákazníci|lidé mají|řekněte lidem ať|řekněte lidem aby|přesvědčte lidi aby|motivujte k|požádejte lidi o|výzva k|nalákejte lidi na',
    ctaAskAfter: null,
    weWant:
      'chceme|chtěli bychom|rádi bychom|přáli bychom si|potřebujeme|chci|chtěl bych|chtěla bych|cílem je|naším cílem je|klient chce',
    wantAfter: null,
    avoid:
      'neuvádějte|neuváděj|neuvádět|nezmiňujte|nezmiňuj|nezmiňovat|nepište|nepiš|nepsat|nepoužívejte|nepoužívej|nepoužívat|neříkejte|neříkej|nemluvte o|nemluv o|neukazujte|neukazuj|neslibujte|neslibuj|nedávejte|nedávej|nesrovnávejte|vyhněte se|vyhni se|vyhýbejte se|vynechte|vynech|bez zmínky|bez uvedení|bez slova|bez slov|slovo|slova|ani slovo|ani slovem|nic o|nesmí být|nesmí zaznít|nesmí se objevit|nechceme',
    manner:
      'tón|tónu|v tónu|styl|stylu|ve stylu|pozadí|logo|písmo|písmem|písmena|barva|barvy|barvách|barvami|barevně|rozvržení|vlevo nahoře|vpravo nahoře|vlevo dole|vpravo dole|fotka|fotku|fotografie|fotografii|na obrázku|velká písmena|tučně|použijte naše|použij naše|stručně|krátce|ne moc|ne příliš|má být|mělo by být|mělo by působit|má působit|vzhled|atmosféra|nálada|tykejte|vykejte|tykání|vykání|grafick*|ilustrac*|ať je to|ať to je|ať to působí|ať to vypadá',
    toneWords:
      'hravý|hravě|hravá|vtipný|vtipně|vtipné|vtipná|veselý|vesele|veselé|humorný|humorně|vážný|vážně|přátelský|přátelsky|přátelské|vřelý|vřele|klidný|klidně|klidné|upřímný|upřímně|elegantní|elegantně|neformální|neformálně|formální|formálně|profesionální|profesionálně|věcný|věcně|moderní|moderně|mladý|svěží|stručný|stručně|krátce|ironický|ironicky|odlehčený|odlehčeně|hřejivý|s humorem|lidsky|seriózní|seriózně|uvolněný|uvolněně',
    greetings:
      'dobrý den|dobré ráno|dobré odpoledne|ahoj|zdravím|zdravíme|čau|vážen*|milý|milá|milí',
    talk: 'brief|zadání|podklady|v příloze|přikládám|přikládáme|posílám|posíláme|děkuji|děkuju|děkujeme|díky|předem děkuji|s pozdravem|hezký den|pěkný den|mějte se|jak jsme se domluvili|jak jsme se bavili|jak bylo domluveno|dejte vědět|ozvěte se|v případě dotazů|kdyby něco|něco hezkého|něco pěkného|cokoliv|zbytek|je to na vás|nechám na vás|můžete mi|můžete prosím|mohli byste|mohl byste|těším se|těšíme se',
    briefing:
      'cílová skupina|cílovou skupinu|cílovka|cílíme na|zaměřujeme se|naši zákazníci jsou|rozpočet|návrh do|návrhy|první verzi|první návrh|klient chce|zákazník chce|cílem je|jde nám o|rádi bychom|chtěli bychom|schválení|schválit|předchozí pokyny|ignoruj|zapomeň|minulá kampaň|termín odevzdání',
  },
}
