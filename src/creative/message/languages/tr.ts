// Turkish: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const tr: MessageLanguage = {
  texts: {
    tr: {
      buttons: {
        learn: 'Daha fazla bilgi',
        shop: 'Alışverişe başla',
        book: 'Rezervasyon yap',
        register: 'Kayıt ol',
        apply: 'Başvur',
        call: 'Hemen ara',
        order: 'Sipariş ver',
        visit: 'Bizi ziyaret et',
        download: 'Uygulamayı indir',
        donate: 'Bağış yap',
      },
      callAt: 'Ara:',
      sponsored: 'Sponsorlu',
    },
  },
  reading: {
    stopWords:
      've|için|ile|bir|tüm|kadar|yeni|sadece|saat|çok|daha|gün|şimdi|olan|ücretsiz|bizim|sizin|indirim|siz|her|hemen|var|gibi|sonra|ilk',
    artefacts:
      'banner|video|reklam|reklamı|afiş|görsel|ilan|kampanya görseli|çalışma|bir şey|tasarım',
    make: 'yap|yapın|yapar mısın*|yapalım|hazırla|hazırlayın|hazırlar mısın*|oluştur|oluşturun|tasarla|tasarlayın|yaz|yazın|istiyorum|istiyoruz|lütfen|lazım|gerekiyor|rica*',
    about: 'için|hakkında',
    askBefore: 'tanıtın|duyurun|tanıt|duyur',
    askAfter:
      'için bir reklam*|için reklam*|için banner*|için bir banner*|için bir çalışma*|için afiş*|için bir afiş*|için görsel*|için bir görsel*|için bir ilan*|için ilan*|reklamı hazırlayın|reklamı yapın|reklamı yap|reklamı istiyoruz|hakkında bir reklam*|banneri hazırla*|banneri yap*|tanıtımı|için tanıtım*|için bir tanıtım*|için sosyal medya*|için kreatif*|için bir kreatif*|için tasarım*|için bir tasarım*|ilanı hazırla*|afişi hazırla*|reklamı lazım|bannerı hazırla*|bannerı yap*|için bir banner lazım',
    mention: null,
    mentionAfter:
      'vurgulayın|vurgula|belirtin|belirt|belirtilsin|bahsedin|bahset|ekleyin|ekle|yazın|yaz|öne çıkarın|öne çıkar|geçsin|öne çıksın|unutmayın|mutlaka olsun|olsun|vurgulansın|yazsın',
    ctaAsk: null,
    ctaAskAfter:
      'çağrısı yapın|çağrısı yap|çağrısı olsun|çağrısıyla|daveti yapın|davet edin|davet et|yönlendirin|yönlendir|teşvik edin|teşvik et|demelerini isteyin|isteyin|söyleyin|çağırın|çağır|davet edelim|davet ediniz|yönlendirelim|teşvik ediniz|teşvik edelim|yapmalarını isteyin|yapmaya davet edin|yapmaya teşvik edin|yaptırmaya davet edin|yaptırmaya teşvik edin|demeye çağırın|yapmalarını sağla|yapmalarını sağlayın|ikna edin',
    weWant: null,
    wantAfter: 'istiyoruz|isteriz|istiyorum|isterim|hedefliyoruz|amaçlıyoruz|umuyoruz',
    avoid: `bahsetmeyin|bahsetme|yazmayın|yazma|yazılmasın|kullanmayın|kullanma|kullanılmasın|belirtmeyin|belirtme|belirtilmesin|söylemeyin|söyleme|demeyin|değinmeyin|eklemeyin|ekleme|koymayın|koyma|vermeyin|vaat etmeyin|vaat etme|geçmesin|olmasın|yer almasın|kelimesini|kelimesi|kelimelerini|sözcüğünü|sözünü etmeyin|bahsedilmesin|kaçının|anmayın|göstermeyin|bahsetmeyelim|yazmayalım|kullanmayalım|belirtmeyelim|söz etmeyin|söz etme|lafını etmeyin|karşılaştırmayın|karşılaştırma yapmayın|kıyaslamayın|kullanılmamalı|geçmemeli|olmamalı|yer almamalı|yer vermeyin|değinme|paylaşmayın|sözcüğü|ifadesini|ifadesi`,
    manner: `fotoğrafta|görselde|büyük fotoğraf|bizim renk*|yeşil tonlar|mavi tonlar|tonlar|ton|tonu|tonda|üslup|üslubu|üslupla|tarzı|tarzda|stil|stilde|arka plan*|zemin|logo|yazı tipi|harf*|renk*|renkler*|düzen|sol üst*|sağ üst*|sol alt*|sağ alt*|görselde|görsel sade|fotoğraflar|fotoğraf olsun|fotoğraf kullan*|fotoğrafı büyük|büyük harf*|kalın|kısa tut*|kısa ve|sade olsun|sade tut*|abartma*|çok abart*|tasarım*|havası|havada|samimi bir|esprili*|eğlenceli bir|sıcak bir|ciddi bir|resmi bir|hissi|kullanılsın|dil kullan*|esprili olsun|komik olsun|eğlenceli olsun|mizahi|mizahlı|şaka*|fotoğraf olmasın|siyah beyaz|dikkat çekici|kelime oyunu|dil olsun|anlatım*`,
    toneWords:
      'güven verici|şiirsel|enerjik|sevimli|eğlenceli|komik|esprili|ciddi|samimi|sıcak|sakin|dürüst|zarif|şık|acil|resmi|profesyonel|sade|modern|genç|kısa|ironik|neşeli|muzip|içten|mizahi|mizahlı|keyifli|huzurlu|nazik|rahat|güler yüzlü',
    greetings: 'merhaba*|selam*|iyi günler|günaydın|sayın',
    talk: `brief|briefing|ektedir|ekliyorum|iyi haftalar|iyi günler dilerim|görüşmek üzere|teşekkür*|sağ olun|saygılar*|sevgiler|kolay gelsin|rica ediyor*|rica ederi*|iyi çalışmalar|konuştuğumuz gibi|anlaştığımız gibi|bekliyoruz|
    bekliyorum|haber verin|sorunuz olursa|güzel bir şey|bir şeyler|size bırakıyor*|siz karar|gerisi|nasılsınız|ekte|dropbox|google drive|wetransfer|göndereceğ*|link gelecek|tıklamalar|açılış sayfası|selamlar|bilginize`,
    briefing: `hedef grup*|önerilerini*|geçen kampanya|hitap ediyoruz|hedef kitle*|bütçe*|taslağ*|taslak|ilk versiyon|müşterimiz|amacımız|amaç|istiyoruz ki|önceki talimat*|yok say|görmezden gel|unut|onay*|hukuk`,
  },
}
