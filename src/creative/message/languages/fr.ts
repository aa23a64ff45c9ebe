// French: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const fr: MessageLanguage = {
  texts: {
    fr: {
      buttons: {
        learn: 'En savoir plus',
        shop: 'Voir la boutique',
        book: 'Réserver',
        register: 'S’inscrire',
        apply: 'Postuler',
        call: 'Appeler',
        order: 'Commander',
        visit: 'Nous rendre visite',
        download: 'Télécharger',
        donate: 'Faire un don',
      },
      callAt: 'Appeler le',
      sponsored: 'Sponsorisé',
    },
  },
  reading: {
    stopWords:
      'ne|pas|que|d|l|le|la|les|des|du|et|pour|avec|sur|une|un|dans|est|vous|nous|votre|nos|notre|jusqu|sans|par|au|aux|ce|cette|plus|qui|à|de|en|dès|chez|toute|tous',
    artefacts:
      'bannière|vidéo|spot|clip|annonce|pub|publicité|visuel|affiche|campagne|création|encart|texte pour|image pour|post pour|accroche pour|quelque chose',
    make: 'il me faut|il nous faut|fais|faites|faire|crée|créez|créer|réalise|réalisez|réaliser|écris|écrivez|besoin|prépare|préparez|conçois|concevez|voudrais|voudrions|merci de|s il vous plaît|imagine|imaginez|génère',
    about: 'pour|sur|à propos de|à propos du|au sujet de|annonçant|concernant|de',
    askBefore: `annonce|annoncez|faites connaître|fais connaître|c est pour|ça parle de|parle de|parlez de|faites la promotion de|fais la promotion de|promouvoir|nous voulons promouvoir|on veut promouvoir|mettre en avant|nous souhaitons promouvoir|il s agit de|on lance|faire connaître|annoncez|annonce que`,
    askAfter: null,
    mention:
      'seulement que|juste que|dites que|dis que|écrivez que|mentionne|mentionnez|mentionner|précise|précisez|préciser|souligne|soulignez|mets en avant|mettez en avant|mettre en avant|indique|indiquez|indiquer|rappelle|rappelez|n oublie pas|n oubliez pas|en mentionnant|en précisant|insiste sur|insistez sur|ajoute|ajoutez',
    mentionAfter: null,
    ctaAsk:
      'invitez les clients à|incitez les clients à|inciter les clients à|encouragez les clients à|dites aux clients de|demandez aux clients de|incitez les gens à|incite les gens à|inciter les gens à|incitez à|inciter à|invitez les gens à|invite les gens à|inviter à|invitez à|encouragez les gens à|encouragez à|encourager à|demandez aux gens de|dites aux gens de|poussez les gens à|pousser à|donnez envie de|il faut que les gens|les gens doivent|invitez le public à|invitez les lecteurs à|invite à|incitez le public à|encouragez le public à|appelez à|appelez les gens à|poussez à|poussez les clients à|motivez les gens à|donner envie de|proposez de|proposez aux gens de|il faut inciter à|que les gens|envoyez les vers|redirigez vers',
    ctaAskAfter: null,
    weWant: `nous voulons|on veut|nous souhaitons|on souhaite|nous aimerions|on aimerait|nous voudrions|on voudrait|je veux|je voudrais|j aimerais|il faudrait|l idée est de|l objectif est de|le but est de|le client veut|le client souhaite`,
    wantAfter: null,
    avoid: `ne mentionne pas|ne mentionnez pas|ne pas mentionner|ne parle pas|ne parlez pas|ne pas parler|n utilise pas|n utilisez pas|ne pas utiliser|n écris pas|n écrivez pas|ne pas écrire|ne mets pas|ne mettez pas|ne pas mettre|ne dis pas|ne dites pas|ne pas dire|
    n indique pas|n indiquez pas|ne pas indiquer|ne pas afficher|n affichez pas|ne cite pas|ne citez pas|ne pas citer|évite|évitez|éviter|sans mentionner|sans parler|sans utiliser|sans dire|pas de mention|rien sur|pas un mot sur|surtout pas|le mot|les mots|ne promettez|ne pas promettre|pas le mot|ni le mot|oubliez le mot|ne précisez pas|n en parlez pas|ne parlons pas|ne rien dire|ne dites rien|ne dis rien|ne pas évoquer|n évoquez pas|ne promets pas|ne comparez pas|ne compare pas|ne pas comparer|sans évoquer|sans citer|sans indiquer|sans employer|n employez pas|ne pas employer|interdiction de|il ne faut pas mentionner|il ne faut pas dire|il ne faut pas parler|ne doit pas apparaître|ne doit pas figurer|ne figure pas|bannissez|proscrire|proscrivez`,
    manner: `sur l image|sur la photo|grande photo|belle photo|nos couleurs|beaucoup de blanc|illustration*|ton|le ton|sur un ton|style|dans un style|le visuel doit|doit être|rester sobre|reste sobre|restez sobre|sobre|fond|arrière plan|logo|police|typo|lettres|couleur|couleurs|mise en page|en haut à gauche|en haut à droite|en bas à gauche|en bas à droite|photo de|photos de|banque d images|en majuscules|en gras|utilisez le|utilisez un|utilise le|utilise un|utilisez notre|utilisez nos|
    faites court|fais court|reste court|restez court|texte court|pas trop|sans trop|adjectifs|ambiance|graphisme|design|vouvoie*|tutoie*|plutôt chic|façon|esprit|chaleureux mais|quelque chose de sobre|soyez|avec humour|ton humoristique|rends la drôle|rendez la drôle|drôle si possible|pas de photo|pas de photos|sans photo|sans photos|pas d images|noir et blanc|jeu de mots|accrocheur|pas plus de|pas plus d une|une seule phrase|deux phrases maximum`,
    toneWords:
      'joyeuse|drôles|sérieuse|chaleureuse|élégante|décalée|légère|poétique|rassurant|rassurante|sincère|tendre|pétillant|pétillante|optimiste|accueillant|accueillante|vif|sec|épuré|épurée|raffiné|raffinée|simple|joyeux|clair|direct|gai|ludique|drôle|humoristique|sérieux|amical|chaleureux|calme|honnête|élégant|chic|urgent|décontracté|formel|professionnel|sobre|moderne|jeune|court|percutant|ironique|décalé|complice|espiègle|impertinent|léger|convivial|premium|dynamique|humoristiques|rigolo|rigolote|marrant|espiègles|doux|douce|bienveillant|bienveillante|posé',
    greetings: 'bonjour|bonsoir|salut|coucou|cher|chère|chers',
    talk: `le brief|un brief|briefing|en pièce jointe|bon courage|bonne continuation|belle journée|bien cordialement|je reste à|nous restons à|je vous laisse|merci|merci d avance|merci beaucoup|merci pour|merci de|cordialement|bien à vous|bonne journée|suite à notre|comme convenu|comme discuté|
    voici les éléments|voici le brief|n hésitez pas|dites moi|tenez moi|à votre goût|à vous de voir|surprenez|
    quelque chose de|le reste|pourriez vous|pouvez vous|peux tu|s il te plaît|à bientôt|svp|stp|ci joint|on vous laisse|dropbox|google drive|wetransfer|je vous envoie|nous enverrons|vous sera envoyé|le lien suivra|page d atterrissage|les clics|le clic doit|bonne réception|dans l attente|en copie`,
    briefing: `maquettes|livraison des maquettes|vos propositions|au plus tard|notre cible|la cible|on cible|nous ciblons|public cible|clientèle visée|dernière campagne|on vise|nous visons|cible|public visé|s adresse à|budget|maquette|première version|brouillon|le client|juridique|l idée est|l objectif|validation|
    nous souhaitons|nous aimerions|on aimerait|on voudrait|nous voudrions|instructions précédentes|ignore les|ignorez|livrable*|nos clients sont|la plupart de nos clients|pour info|pour contexte|en interne|prix interne`,
  },
}
