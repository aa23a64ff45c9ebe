// English: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const en: MessageLanguage = {
  texts: {
    en: {
      buttons: {
        learn: 'Learn more',
        shop: 'Shop now',
        book: 'Book now',
        register: 'Sign up',
        apply: 'Apply now',
        call: 'Call us',
        order: 'Order now',
        visit: 'Visit us',
        download: 'Get the app',
        donate: 'Donate now',
      },
      callAt: 'Call',
      sponsored: 'Sponsored',
    },
  },
  reading: {
    stopWords:
      'no|the|and|for|your|with|of|to|on|our|from|in|at|is|are|you|we|this|that|off|now|by|it|all|new|only|until|please|about|get|up',
    artefacts: `banner|video|video ad|spot|clip|banners|ad|ads|advert|adverts|advertisement|creative|creatives|display ad|image ad|poster|flyer|post|graphic|visual|something|image for|campaign|copy|leaderboard|skyscraper|
    anything|one liner|tagline|ad copy|promo`,
    make: `make|makes|create|design|write|build|draft|produce|generate|prepare|put together|do|do up|come up with|need|want|give me|give us|send me|whip up|looking for|please|pls|plz|can you|could you|would you`,
    about:
      'for|about|promoting|advertising|announcing|on|that says|that tells people|that tells them|which says|that announces|that promotes|to promote|to advertise|to announce|featuring|saying|to push',
    askBefore: `promote|promoting|advertise|announce|announce that|it is about|it s about|this is about|the ad is about|then advertise|wants to push|want to push|wants to promote|want to promote|we want to tell people that|we want to announce|please promote|
    shout about|spread the word about|main message is|the message is|tell people about|tell everyone about|we want people to know|
    we want people to know that|let people know about|let people know that|let people know|let everyone know|we are promoting|we re promoting|we re advertising|the ad is for|we re launching|this ad is for|this is for|the banner is about|we want to advertise|we re looking to promote|help us promote|help promote|help us announce|advertising our`,
    askAfter: null,
    mention:
      'mention|mentioning|mention that|include|including the|highlight|highlighting|emphasise|emphasize|stress that|stress the|stress our|feature|say that|point out|make clear|call out|don t forget|only that|just that|just say that|only say that|remember to mention|make sure to mention|make sure you mention|be sure to mention|add that|note that|with emphasis on|lead with',
    mentionAfter: null,
    ctaAsk: `gets people to|that gets people to|to get people to|get customers to|gets customers to|invite customers to|ask people to|ask them to|ask readers to|ask customers to|ask everyone to|tell people to|tell them to|tell customers to|tell everyone to|get people to|get them to|invite people to|invite them to|invite readers to|encourage people to|
    encourage them to|encourage customers to|encourage readers to|want people to|want them to|need people to|need them to|would like people to|d like people to|d love people to|hope people will|we want people to|have people|people should|they should|customers should|readers should|the aim is to get people to|
    urge people to|point people to|send people to|call to action should be to|cta should be to|push people to|make them|send them to|take people to|take them to|drive people to|drive them to|direct people to|direct them to|lead people to|nudge people to|nudge them to|persuade people to|convince people to|convince them to|remind people to|remind them to|prompt people to|prompt them to|motivate people to|ask folks to|get folks to|get readers to|get visitors to|get users to|call on people to`,
    ctaAskAfter: null,
    weWant: `we want|we want to|we d like|we would like|we d like to|we would like to|we d love|we would love|we d love to|we would love to|we need|we need to|we hope|we hope to|we aim to|we wish to|we re looking to|we are looking to|i want|i want to|i d like|i d like to|i would like to|i need|our goal is|our goal is to|our aim is to|the goal is to|the aim is to|the idea is to|client wants to|the client wants to|the client wants|wants to|we re hoping|we are hoping|we re keen for|we are keen for|ideally people|ideally`,
    wantAfter: null,
    avoid: `don t mention|do not mention|don t say|do not say|don t use|do not use|don t write|do not write|don t put|do not put|don t include|do not include|don t show|do not show|don t talk about|do not talk about|
    don t call|do not call|don t print|do not print|don t state|do not state|don t quote|do not quote|don t promise|do not promise|don t claim|do not claim|don t add|do not add|don t name|do not name|don t refer|do not refer|don t give|do not give|
    never mention|never say|never use|never write|never call|leave out|leave off|keep out|no mention of|without mentioning|without saying|without using|nothing about|not a word about|avoid|avoiding|skip the|omit|
    please no|no need to mention|not mention|should not mention|shouldn t mention|must not mention|must not say|must not appear|should not appear|shouldn t appear|is not to be mentioned|drop the word|stay away from|steer clear of|
    not allowed to say|we can t say|we cannot say|we may not say|refrain from|rather not show|rather not say|rather not mention|rather not have|rather not use|d rather not|would rather not|prefer not to|preferably no|preferably without|no need to list|no need to show|no need to say|no need to name|no need to write|no need to include|no need to talk about|must not include|must not contain|should not include|should not contain|shouldn t include|shouldn t say|should not say|can t mention|cannot mention|can t use|cannot use|may not use|may not mention|never compare|don t compare|do not compare|don t list|do not list|don t reference|do not reference|don t bring up|do not bring up|make no mention|hold back on`,
    manner: `in the picture|in the image|in the photo|on the picture|the picture|the image|the photo|big photo|large photo|nice photo|photo of|use our|use your|our red|our blue|our green|our orange|our brand|corporate colours|corporate colors|lots of|plenty of white|handwritten|icons|illustration*|tone|tone of voice|in style|style should|the style|the look|look and feel|look should|should look|should feel|should be|keep it|keep the text|keep the copy|keep things|make it|make sure it|make the|use a|use the|use our|use big|use bright|use lots|use white|use black|use red|use blue|use green|with a * feel|background|logo|font|fonts|typeface|
    letters|lettering|bold|colour|colours|color|colors|colour scheme|layout|white space|top left|top right|bottom left|bottom right|centered|centred|photo of|photos of|stock photo*|picture of|pictures|imagery|image of|animation|animated|gradient|in capitals|all caps|lower case|font size|large type|nice and|sound like|sounds like|feel like an ad|not too salesy|salesy|
    nothing too|nothing fancy|not too|jokey|no jokes|no clichés|clichés|pixels|px|minimalist|in the style of|short and|wording|the voice|brand colours|brand colors|no more than|shouty|pushy|nothing shouty|nothing pushy|nothing cheesy|no hard sell|no photos|no pictures|no images|no people|no faces|no models|dark mode|black and white|on the left|on the right|at the bottom|in the corner|eye catching|keep the tone|the tone|humour please|humor please|make it funny|make it fun|make it pop`,
    toneWords:
      'reassuring|trustworthy|neighbourly|neighborly|down-to-earth|heartfelt|poetic|romantic|dry|deadpan|plain|factual|conversational|inviting|lively|optimistic|gentle|soft|tender|empowering|edgy|rebellious|nostalgic|understated|respectful|dignified|authoritative|chatty|goofy|silly|mysterious|cozy|welcoming|inclusive|slightly|somewhat|playful|simple|clean|happy|cosy|clear|cool|direct|crisp|cheerful|playfully|cheeky|funny|fun|witty|humorous|serious|friendly|warm|calm|honest|low-key|elegant|classy|premium|luxurious|urgent|bold|light|light-hearted|casual|formal|professional|quirky|upbeat|confident|sophisticated|minimal|minimalist|short|snappy|punchy|modern|young|fresh tone|sincere|dramatic|relaxed|emotional|inspiring|matter-of-fact|tongue-in-cheek|sober|energetic|informal|sarcastic|ironic',
    greetings: 'hi|hello|hey|hiya|dear|good morning|good afternoon|good evening|greetings',
    talk: `briefing|the brief|brief for|a quick brief|short brief|brief below|some background|attached|is attached|are attached|sizes to follow|media plan|in the loop|talk soon|speak soon|have a great|have a nice|have a lovely|sent from my|no idea|not sure yet|tbc|could we see|can we see|can you send|could you send|send it over|when can we|see something by|need it by|hope you|hope this finds|as discussed|as agreed|as promised|thank you|thanks|thx|cheers|best regards|kind regards|
    warm regards|looking forward|let me know|let us know|get back to me|get back to us|any questions|fyi|here is the brief|here s the brief|
    following up|per our call|on the call|can you help|could you help|would you mind|what do you think|up to you|
    surprise me|surprise us|your choice|whatever you like|no rush|asap|we just want|i was wondering|quick one|
    rest is up to you|you decide|over to you|take it from there|dropbox|google drive|wetransfer|shared folder|in a folder|i ll send|sends the|clicks should|clicks go|clicks to|click should|click goes|should link|links go|send clicks|landing page|high res|hi res|sign off|signs it off|on leave|out of office|just let me|give me a shout|ping me|shout if`,
    briefing: `target customer*|ideal customer*|core customer*|mock ups|mockups|artwork|facebook ads|instagram ads|google ads|ran ads|ads last year|last campaign|previous campaign|click through|audience|target group|target market|targeting|we re targeting|we are targeting|aimed at|demographic*|budget|draft|drafts|first version|mock up|mockup|
    legal|sign off|sign it off|stakeholder*|client|deadline for|objective|objectives|kpi*|goal is|drive trials|mandatories|deliverable*|
    we d like to|we would like to|we d love to|i d like you|the idea is|the brief|our agency|previous instructions|system prompt|ignore all|ignore previous|
    ignore the|disregard|you are now|reveal your|jailbreak|don t follow|forget everything|as an ai|our customers are|most of our customers|our buyers are|our readers are|some background|a bit of background|bit of context|some context|for context|internal price|not for publication`,
  },
}
