// Vietnamese: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const vi: MessageLanguage = {
  texts: {
    vi: {
      buttons: {
        learn: 'Tìm hiểu thêm',
        shop: 'Mua ngay',
        book: 'Đặt lịch',
        register: 'Đăng ký',
        apply: 'Ứng tuyển',
        call: 'Gọi ngay',
        order: 'Đặt hàng',
        visit: 'Ghé cửa hàng',
        download: 'Tải ứng dụng',
        donate: 'Quyên góp',
      },
      callAt: 'Gọi',
      sponsored: 'Được tài trợ',
    },
  },
  reading: {
    stopWords:
      'và|của|cho|với|các|một|từ|đến|tại|chỉ|mới|khi|trong|là|có|giảm|bạn|này|được|ngày|mua|không|miễn|phí|những|người|ở|cả',
    artefacts: 'banner|video|quảng cáo|poster|ảnh|hình|bài đăng|mẫu|tờ rơi|cái gì',
    make: 'làm|tạo|thiết kế|viết|cần|muốn|giúp|soạn|vẽ|chạy|lên',
    about: 'cho|về|giới thiệu',
    askBefore:
      'quảng cáo cho|quảng cáo về|quảng cáo|quảng bá|giới thiệu về|muốn quảng bá|truyền thông cho|muốn chạy ưu đãi|chạy quảng cáo cho|làm quảng cáo cho|viết quảng cáo cho|thông báo',
    askAfter: null,
    mention:
      'nhắc đến|nhắc tới|nhắc|nhấn mạnh|đề cập|đề cập đến|nêu rõ|nêu bật|ghi rõ|ghi|nhớ ghi|thêm|làm nổi bật|nói rõ|có ghi|đừng quên|để chữ',
    mentionAfter: null,
    ctaAsk:
      'kêu gọi khách hàng|kêu gọi khách|kêu gọi mọi người|kêu gọi|mời khách hàng|mời khách|mời mọi người|khuyến khích khách|khuyến khích mọi người|khuyến khích|nhắc khách|bảo khách|rủ mọi người|thúc đẩy khách|kêu gọi người xem|kêu gọi các bạn|mời người xem|mời các bạn|mời gọi|khuyến khích khách hàng|thúc giục khách|thôi thúc khách|để khách|dẫn khách đến|hướng khách đến|nhắc mọi người|rủ khách|giục khách',
    ctaAskAfter: null,
    weWant: `chúng tôi muốn|bên mình muốn|bên em muốn|tụi mình muốn|bọn mình muốn|mình muốn|chúng mình muốn|tôi muốn|chúng tôi mong muốn`,
    wantAfter: null,
    avoid: `đừng ghi|đừng dùng|đừng nhắc|đừng nói|đừng viết|đừng để|đừng đề cập|đừng đưa|đừng nêu|đừng hứa|đừng cho|không ghi|không dùng từ|không nhắc|không nói đến|không nói về|không viết|không đề cập|không được nhắc|không được ghi|không được dùng|không nêu|không để giá|tránh|tránh dùng|tránh từ|bỏ phần|khỏi ghi|khỏi nhắc|dùng từ|đừng so sánh|không so sánh|không cần ghi|không cần nhắc|không cần nói|không cần đề cập|không cần nêu|khỏi nói|khỏi đề cập|không dùng chữ|không dùng cụm|không sử dụng từ|đừng sử dụng|không hứa|không hiển thị|không đưa|bỏ từ|cấm dùng|miễn nhắc|hạn chế dùng`,
    manner: `trong ảnh|ảnh lớn|hình lớn|giọng|giọng điệu|giọng văn|tông|phong cách|thiết kế|nền|logo|font|phông|chữ to|chữ đậm|chữ lớn|màu|màu sắc|bố cục|góc trái|góc phải|ảnh minh họa|hình ảnh|viết hoa|ngắn gọn|ngắn thôi|nhẹ nhàng thôi|đơn giản thôi|đừng quá|không quá|vui tươi|dễ thương thôi|hài hước|trông|nhìn|tươi trẻ|sang trọng chút|vui nhộn|vui vẻ|vui một chút|cho vui|hóm hỉnh|bên trái|bên phải|đen trắng|bắt mắt|chơi chữ|không dùng màu|không màu|đừng dùng màu|gam màu|không hình|không ảnh|giọng thân thiện|thân thiện nhé`,
    toneWords:
      'gần gũi|tươi vui|chân thành|vui vẻ|hài hước|dí dỏm|nghiêm túc|thân thiện|ấm áp|nhẹ nhàng|trung thực|thanh lịch|sang trọng|gấp|trang trọng|chuyên nghiệp|hiện đại|trẻ trung|ngắn gọn|dễ thương|tinh nghịch|vui nhộn|hóm hỉnh|vui tươi|hài|lãng mạn|lịch sự|năng động|nghiêm trang',
    greetings: 'chào|xin chào|dạ chào|alo',
    talk: `đính kèm|gửi kèm|gửi brief|brief|chúc mọi người|hẹn gặp|cảm ơn|cám ơn|thân ái|trân trọng|như đã trao đổi|như đã bàn|như đã nói|có gì báo|báo mình|liên hệ lại|làm gì cũng được|tùy bạn|tuỳ bạn|tùy ý|gì đó đẹp|
    cái gì đẹp|còn lại|khách vắng|muốn chạy|giúp mình|giúp em|giúp tôi|nhờ bạn|nhờ team|bên mình muốn|bên em muốn|gửi sau|sẽ gửi|mình gửi|link gửi|trang đích|thanks team|có gì nhắn|nhắn mình|phản hồi|cảm ơn nhé|nhé team`,
    briefing: `bản thiết kế|chiến dịch trước|khách mục tiêu|đối tượng|khách hàng mục tiêu|tệp khách|ngân sách|bản nháp|bản demo|phiên bản đầu|khách hàng của mình là|mục tiêu là|ý tưởng là|hướng đến|nhắm đến|nhắm tới|
    bỏ qua các|hướng dẫn trước|duyệt`,
  },
}
