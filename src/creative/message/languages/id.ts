// Indonesian: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const id: MessageLanguage = {
  texts: {
    id: {
      buttons: {
        learn: 'Selengkapnya',
        shop: 'Belanja sekarang',
        book: 'Pesan tempat',
        register: 'Daftar',
        apply: 'Lamar sekarang',
        call: 'Hubungi kami',
        order: 'Pesan sekarang',
        visit: 'Kunjungi kami',
        download: 'Unduh aplikasi',
        donate: 'Donasi sekarang',
      },
      callAt: 'Telepon',
      sponsored: null,
    },
  },
  reading: {
    stopWords:
      'dan|di|ke|untuk|dengan|yang|dari|kami|anda|kita|sekarang|semua|hanya|hari|ini|itu|juga|atau|pada|agar|ya|saja|dong|lebih|bisa|ada|para|sudah|tolong',
    artefacts:
      'banner|bannernya|iklan|iklannya|poster|spanduk|flyer|brosur|postingan|konten|visual|desain|materi promosi|materi iklan|kampanye|sesuatu',
    make: 'buat|buatkan|bikin|bikinkan|tolong|tolong buatkan|tolong bikin|rancang|desain|siapkan|tulis|tuliskan|mohon|butuh|kami butuh|kami perlu|perlu|mau|minta|saya mau',
    about: 'untuk|tentang|soal|mengenai|dari|buat',
    askBefore:
      'promosikan|kami mau promosi|kami mau promosikan|kami ingin promosi|kami ingin mempromosikan|mau promosi|ingin promosi|mempromosikan|umumkan|iklankan|ini tentang|beri tahu orang tentang|beritahu orang tentang|perkenalkan',
    askAfter: null,
    mention:
      'sebutkan|sebut|cantumkan|tonjolkan|tekankan|masukkan|jangan lupa sebutkan|jangan lupa|tambahkan|tulis bahwa|tuliskan bahwa|pastikan ada|sertakan|fokus pada|fokus ke',
    mentionAfter: null,
    ctaAsk:
      'ajak orang untuk|ajak orang|ajak mereka untuk|ajak mereka|ajak pelanggan untuk|ajak pelanggan|ajak untuk|minta orang untuk|minta mereka untuk|minta pelanggan untuk|dorong orang untuk|dorong mereka untuk|dorong pelanggan untuk|undang orang untuk|undang mereka untuk|undang orang|suruh orang|arahkan orang untuk|arahkan ke|arahkan mereka ke|himbau untuk|imbau untuk|supaya orang|agar orang',
    ctaAskAfter: null,
    weWant:
      'kami ingin|kami mau|kami ingin agar|kami berharap|kita ingin|kita mau|saya ingin|saya mau|tujuannya agar|tujuan kami|klien ingin|klien mau',
    wantAfter: null,
    avoid:
      'jangan sebut|jangan sebutkan|jangan menyebut|jangan menyebutkan|jangan tulis|jangan menulis|jangan pakai kata|jangan pakai|jangan gunakan kata|jangan gunakan|jangan menggunakan|jangan cantumkan|jangan bahas|jangan tampilkan|jangan bilang|jangan katakan|jangan janjikan|jangan bandingkan|jangan masukkan|jangan ada|tanpa menyebut|tanpa menyebutkan|tanpa kata|hindari|hindari kata|tidak perlu sebut|tidak perlu menyebut|tidak usah sebut|nggak usah sebut|gak usah sebut|tidak boleh ada|tidak boleh menyebut|dilarang',
    manner:
      'nada|nadanya|gaya|gayanya|gaya bahasa|bahasanya|latar|latar belakang|background|logo|logonya|font|huruf|huruf besar|huruf kapital|warna|warnanya|tata letak|layout|kiri atas|kanan atas|kiri bawah|kanan bawah|fotonya|gambar|gambarnya|ilustrasi|tebal|singkat|singkat saja|pendek|jangan terlalu|tidak terlalu|jangan lebay|desainnya|tampilan|tampilannya|suasana|kesan|nuansa|bikin lucu|dibuat lucu|yang lucu|biar lucu|terlihat|kelihatan',
    toneWords:
      'lucu|kocak|jenaka|humoris|santai|ceria|serius|ramah|hangat|tenang|jujur|elegan|mewah|formal|resmi|profesional|sederhana|modern|muda|kekinian|singkat|akrab|bersahabat|sopan|kasual|nyeleneh|menyentuh|meyakinkan|segar|asyik|gaul',
    greetings:
      'halo|hai|selamat pagi|selamat siang|selamat sore|selamat malam|assalamualaikum|permisi|dear|yth|hi',
    talk: 'brief|briefnya|terlampir|lampiran|saya kirim|kami kirim|terima kasih|makasih|thanks|salam|hormat kami|sesuai obrolan|sesuai diskusi|seperti dibahas|kabari|hubungi saya|ditunggu|kami tunggu|kalau ada pertanyaan|sisanya|terserah|bebas saja|yang bagus|yang menarik|bisa tolong|bisa bantu|boleh minta|tolong ya|ya kak|mohon bantuannya',
    briefing:
      'target kami|targetnya|target pasar|target audiens|audiens|sasaran|sasarannya|anggaran|budget|budgetnya|draf|draft|versi pertama|klien mau|klien ingin|tujuannya|tujuan kami|idenya|persetujuan|approval|instruksi sebelumnya|abaikan|lupakan|kampanye sebelumnya|tenggat',
  },
}
