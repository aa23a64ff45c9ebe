// Portuguese: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const pt: MessageLanguage = {
  texts: {
    pt: {
      buttons: {
        learn: 'Saiba mais',
        shop: 'Comprar',
        book: 'Reservar',
        register: 'Inscrever-se',
        apply: 'Candidatar-se',
        call: 'Ligar',
        order: 'Pedir',
        visit: 'Visite-nos',
        download: 'Baixar o app',
        donate: 'Doar',
      },
      callAt: 'Ligar:',
      sponsored: 'Patrocinado',
    },
  },
  reading: {
    stopWords:
      'o|a|os|as|do|da|dos|das|e|para|com|em|uma|um|é|seu|sua|por|até|sem|nosso|nossa|todos|que|ao|na|no|mais|só|de|não|você|nova|novo|já',
    artefacts:
      'banner|vídeo|anúncio|anúncios|publicidade|propaganda|arte|peça|campanha|imagem|cartaz|post|texto|algo|criativo',
    make: 'faz|faça|façam|fazer|faz me|cria|crie|criem|criar|escreve|escreva|escrever|desenhe|prepare|preparem|preciso|precisamos|quero|queremos|por favor|gera|gere|monta|monte',
    about: 'para|sobre|de|do|da|dos|das|a divulgar|divulgando|acerca de',
    askBefore: `fale de|fala de|fale sobre|fala sobre|falem de|falem sobre|divulgar|divulga|divulgue|divulguem|promover|promova|promove|queremos promover|queremos divulgar|queremos anunciar|anunciar|anuncia|anuncie|trata se de|é sobre`,
    askAfter: null,
    mention:
      'só que|apenas que|digam que|escreva que|menciona|mencione|mencionem|mencionar|destaca|destaque|destaquem|destacar|inclui|inclua|incluam|incluir|refere|refira|refiram|realça|realce|coloca|coloque|coloquem|não esqueça|não se esqueça|não se esqueçam|fala que|diz que|diga que|cita|cite|põe|acrescenta|dá destaque',
    mentionAfter: null,
    ctaAsk:
      'convide os clientes a|incentive os clientes a|peça aos clientes para|convide as pessoas a|convide a|convidem a|convida as pessoas a|convida a|convidar a|incentive as pessoas a|incentive a|incentivar a|incentiva a|peça para|peçam para|pede para|pede às pessoas que|peça às pessoas para|chame para|chama para|estimule a|leve as pessoas a|diga para|as pessoas devem|peça às pessoas que|peçam às pessoas que|peçam às pessoas para|pede às pessoas para|peça ao público que|peça ao público para|convidem as pessoas a|convide o público a|convidar as pessoas a|incentivem as pessoas a|incentivem a|incentivar as pessoas a|chame as pessoas para|chame o público para|chamem para|leve o público a|motive as pessoas a|motive a|apele a|apelem a|estimule as pessoas a|faça com que as pessoas|diga às pessoas para|é para as pessoas',
    ctaAskAfter: null,
    weWant: `queremos|gostaríamos de|gostaríamos|gostávamos de|pretendemos|precisamos de|precisamos|quero|gostaria de|a ideia é|o objetivo é|o objectivo é|o cliente quer`,
    wantAfter: null,
    avoid: `não mencionar|não mencione|não menciones|não mencionem|não citar|não cite|não citem|não usar|não use|não usem|não utilizar|não utilize|não uses|não falar|não fale|não fales|não falem|não escrever|não escreva|não escrevam|não colocar|não coloque|não coloquem|não pôr|não ponha|não dizer|não diga|não digam|não incluir|não inclua|não prometer|não prometa|não referir|não refira|não refiram|não divulgar|não mostrar|não mostre|
    evitar|evite|evitem|sem mencionar|sem falar|sem usar|sem dizer|sem citar|nada de|nada sobre|nem a palavra|a palavra|as palavras|proibid*|não pode aparecer|não deve aparecer|não queremos|deixe de fora|deixem de fora|omitir|não comparar|não compare|não comparem|não compares|não mencionemos|não prometam|não incluam|não ponham|não refiras|não indicar|não indique|não indiquem|não informar|não informe|não revelar|não revele|sem indicar|sem colocar|sem escrever|sem referir|melhor não|preferimos não|não precisa mencionar|não precisa citar|não é preciso dizer|que não apareça|não deve mencionar|não deve conter|deixar de fora|fora do texto`,
    manner: `na imagem|na foto|foto grande|nossas cores|muito branco|ilustraç*|sem texto|pouco texto|texto demais|tom|em tom|com tom|estilo|visual|fundo|logo|logótipo|logotipo|fonte|letra|letras|cor|cores|layout|design|canto superior|canto inferior|foto de|fotos de|maiúsculas|negrito|usa o|use o|use um|use uma|usem o|usa um|use nosso*|use nossa*|use cores|texto curto|curto e|nada muito|não muito|deve ser|deve parecer|deve ter|fala com humor|fale com|com humor|linguagem|mantém|mantenha|trata por tu|aspeto|aspecto|
    descontraíd*|que pareça|que seja|sóbrio|engraçad*|bem humorad*|sem fotos|sem imagens|preto e branco|chamativ*|trocadilho|tom leve|tom divertido`,
    toneWords:
      'divertida|séria|calorosa|próxima|sóbria|moderna|elegantes|poético|poética|tranquilizador|sincero|sincera|otimista|fresco|fresca|jovial|delicado|delicada|simples|alegre|claro|carinhoso|divertido|engraçado|bem-humorado|sério|amigável|caloroso|calmo|honesto|elegante|urgente|informal|formal|profissional|sóbrio|moderno|jovem|curto|irónico|irônico|brincalhão|descontraído|leve|acolhedor|atrevido|irreverente|próximo|engraçada|bem-humorada|humorístico|humorística|simpático|simpática|relaxado|emotivo',
    greetings: 'olá|oi|bom dia|boa tarde|prezad*|caros|caras|ola',
    talk: `briefing|o brief|em anexo|segue em anexo|bom trabalho|boa semana|bom fim de semana|um abraço|preciso até|precisamos até|obrigad*|muito obrigad*|atenciosamente|cumprimentos|abraço|abraços|como combinado|conforme combinado|conforme conversamos|conforme falámos|qualquer dúvida|
    fico no aguardo|ficamos no aguardo|aguardo|aguardamos|o resto fica|ao vosso critério|a vosso critério|fica a critério|a seu critério|
    algo bonito|algo legal|o que acharem|vocês decidem|podem fazer|podem me|poderiam|tudo bem|segue o briefing|seguem|desde já|valeu|dropbox|google drive|wetransfer|o link será|os cliques|página de destino|fico à espera|em cópia|aguardo retorno`,
    briefing: `vossas propostas|suas propostas|maquetes|maquete|público são|público é|nosso público|queremos chegar|última campanha|público alvo|público jovem|o público|orçamento|verba|rascunho|primeira versão|o cliente|a ideia é|o objetivo|o objectivo|queremos atingir|queremos alcançar|direcionado|gostaríamos|gostaria|
    instruções anteriores|ignore|esqueça|aprovação|para o jurídico|nossos clientes são|os nossos clientes são|a maioria dos nossos clientes|para informação|para contexto|preço interno|uso interno`,
  },
}
