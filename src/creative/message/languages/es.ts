// Spanish: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const es: MessageLanguage = {
  texts: {
    es: {
      buttons: {
        learn: 'Más información',
        shop: 'Comprar',
        book: 'Reservar',
        register: 'Inscribirse',
        apply: 'Postúlate',
        call: 'Llamar',
        order: 'Pedir',
        visit: 'Visítanos',
        download: 'Descargar',
        donate: 'Donar',
      },
      callAt: 'Llamar al',
      sponsored: 'Patrocinado',
    },
  },
  reading: {
    stopWords:
      'no|el|la|los|las|del|y|para|con|en|una|un|es|su|tu|por|hasta|desde|sin|nuestro|nuestra|todos|todas|que|al|ya|más|solo|de|se|lo',
    artefacts:
      'banner|vídeo|video|anuncio|anuncios|publicidad|cartel|imagen|pieza|campaña|gráfica|post|texto|algo|aviso|creatividad|publicación',
    make: 'haz|hazme|haznos|hagan|hacer|hacé|haceme|crea|creá|cree|crear|creen|diseña|diseñá|diseñen|diseñar|escribe|escribí|necesito|necesitamos|prepara|preparen|quiero|queremos|por favor|genera|quisiera|armá|armar',
    about: 'para|sobre|de|del|acerca de|que anuncie|anunciando|por|promocionando',
    askBefore: `anuncia|anuncia que|anuncien|habla de|hablen de|es sobre|es para|promociona|promocionar|promocionen|queremos promocionar|queremos dar a conocer|queremos anunciar|anunciar|difundir|se trata de|publicita|queremos contar que|hay que contar que|dar a conocer`,
    askAfter: null,
    mention:
      'solo que|sólo que|solo di que|digan que|escribe que|menciona|mencioná|mencionen|mencionar|destaca|destacá|destaquen|destacar|resalta|resaltá|resalten|resaltar|incluye|incluí|incluyan|incluir|pon|poné|pongan|di que|aclara que|que diga|que se note|no olvides|no olviden|recalca|indica|indiquen|agrega|añade',
    mentionAfter: null,
    ctaAsk:
      'invita a los clientes a|anima a los clientes a|pide a los clientes que|invita a la gente a|invita a|invite a|inviten a|invitar a|anima a la gente a|anima a|animen a|animad a|animar a|pide que|pidan que|pide a la gente que|que la gente|incita a|diles que|motiva a|motiven a|llama a|hay que invitar a|que se animen a|pídele a la gente que|pidan a la gente que|pedid que|pedid a la gente que|invitad a|invita al público a|convoca a|llamen a|anima al público a|anime a|haz que la gente|hagan que la gente|consigue que|dile a la gente que|queremos que la gente|llévalos a|llevarlos a',
    ctaAskAfter: null,
    weWant: `queremos|nos gustaría|quisiéramos|buscamos|necesitamos|quiero|quisiera|me gustaría|la idea es|el objetivo es|el cliente quiere`,
    wantAfter: null,
    avoid: `no menciones|no mencionen|no mencionar|no mencionés|no menciona|no uses|no usen|no usar|no utilices|no utilicen|no utilizar|no pongas|no pongan|no poner|no pongáis|no digas|no digan|no decir|no hables|no hablen|no hablar|no escribas|no escriban|no incluyas|no incluyan|no incluir|no muestres|no prometas|no prometan|no prometer|
    evita|eviten|evitad|evitar|sin mencionar|sin decir|sin usar|sin hablar|nada de|nada sobre|ni una palabra|ni la palabra|la palabra|las palabras|prohibid*|no citar|no cites|no nombres|no nombrar|no queremos que aparezca|que no aparezca|no debe aparecer|deja fuera|dejen fuera|omite|omitir|no aludas|no nombren|no compares|no comparen|no comparéis|no mencionéis|no uséis|no habléis|no digáis|no escribáis|no prometáis|no incluyáis|no hace falta mencionar|no hace falta decir|no hace falta poner|mejor no|prefiero no|preferimos no|sin citar|sin nombrar|sin poner|que no se mencione|que no se diga|que no salga|que no ponga|que no diga|no debe mencionar|no debe decir|no debe incluir`,
    manner: `en la imagen|en la foto|foto grande|una foto|nuestros colores|mucho blanco|ilustraci*|tono|el tono|con un tono|estilo|que se vea|que sea|que suene|que quede|que parezca|fondo|logo|logotipo|tipografía|letra|letras|color|colores|diseño|arriba a la izquierda|arriba a la derecha|abajo a la izquierda|abajo a la derecha|foto de|fotos de|en mayúsculas|en negrita|usa el|usa un|usá un|usa nuestro*|usen el|usen un|utiliza|texto corto|breve|no muy|nada muy|sin exagerar|
    tutea*|trata de usted|de usted|con humor|cercano|cercana|que transmita|estética|imagen cuidada|habla de tú|sobrio|hazlo divertido|hazlo gracioso|que sea divertido|que sea gracioso|con gracia|sin fotos|sin imágenes|blanco y negro|llamativo|juego de palabras|de tú|de vos`,
    toneWords:
      'sencilla|divertida|seria|cálida|cercana|sobria|moderna|directa|poético|poética|tranquilizador|tranquilizadora|sincero|sincera|optimista|acogedor|acogedora|gamberro|gamberra|fresco|fresca|natural|tierno|respetuoso|sencillo|alegre|claro|simple|divertido|gracioso|humorístico|serio|amistoso|amigable|cálido|tranquilo|honesto|elegante|urgente|informal|formal|profesional|sobrio|moderno|joven|juvenil|corto|irónico|pícaro|descarado|cercano|desenfadado|juguetón|fresco tono|directo|graciosa|humorística|chistoso|chistosa|simpático|simpática|amable|relajado|relajada|emotivo|emotiva',
    greetings: 'hola|buenos días|buenas tardes|buenas|estimad*|querid*',
    talk: `el brief|briefing|brief|va el|os paso|te paso|les paso|un abrazo|abrazos|buen día|feliz día|en adjunto|adjunta|adjuntamos|gracias|muchas gracias|saludos|un saludo|cómo va|qué tal|cómo están|les cuento|te cuento|os cuento|como hablamos|como comentamos|como quedamos|
    cualquier duda|quedo atent*|quedamos atent*|me avisan|avísame|avisadme|algo bonito|algo chulo|lo que quieran|a su gusto|
    lo dejo en|el resto|podrían|podríais|pueden ayudarme|sorpréndan*|espero su|esperamos su|adjunto|dropbox|google drive|wetransfer|les envío|te envío|os envío|os mando|les mando|el enlace lo|los clics|el clic|página de destino|precio interno|quedo a la espera|en copia|un cordial`,
    briefing: `sus propuestas|vuestras propuestas|bocetos|maqueta*|nuestro público|público son|público es|público meta|target|última campaña|público objetivo|el público|audiencia|presupuesto|borrador|boceto|primera versión|el cliente|la idea es|el objetivo|nos dirigimos|dirigido a|va dirigid*|queremos llegar|
    nos gustaría|me gustaría|queremos que|instrucciones anteriores|ignora|olvida todo|aprobación|nuestros clientes son|la mayoría de nuestros clientes|para tu información|como contexto|precio interno|queremos llegar a`,
  },
}
