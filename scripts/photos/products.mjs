// Things: a shoe and a bottle in the studio, a cup, a watch and a bowl where they are used.
import { bokeh, HEIGHT, linear, radial, rolls, WIDTH } from './paint.mjs'

const all = `width="${WIDTH}" height="${HEIGHT}"`

export function shoe() {
  const upper =
    'M330 690 C340 560 360 470 420 420 C470 470 560 480 610 430 C640 400 690 395 720 430 C800 540 930 600 1080 630 C1200 655 1280 690 1290 770 L1290 800 L320 800 C315 760 322 720 330 690 Z'
  return {
    isPlain: true,
    defs:
      linear('upper', [
        [0, '#ff7a59'],
        [0.5, '#e8472f'],
        [1, '#a82a1c'],
      ]) +
      linear('sole', [
        [0, '#ffffff'],
        [1, '#c9ccd2'],
      ]),
    body: `<rect ${all} fill="#eceef0"/>
      <ellipse cx="810" cy="885" rx="520" ry="26" fill="#565b66" opacity="0.38" filter="url(#haze)"/>
      <path d="${upper}" fill="url(#upper)"/>
      <path d="M330 690 C350 720 470 740 560 700 C600 640 600 560 610 430 C560 480 470 470 420 420 C360 470 340 560 330 690 Z" fill="#8c1f15" opacity="0.5"/>
      <path d="M1030 622 C1180 645 1285 690 1290 770 L1290 800 L980 800 C960 720 980 660 1030 622 Z" fill="#ffd9cc" opacity="0.35"/>
      <path d="M700 430 C780 540 900 600 1040 628" fill="none" stroke="#ffb199" stroke-width="16" opacity="0.7" filter="url(#soft)"/>
      ${[0, 1, 2, 3, 4].map((i) => `<path d="M${660 + i * 58} ${470 + i * 36} l70 -34" stroke="#fff5ef" stroke-width="17" stroke-linecap="round"/>`).join('')}
      <path d="M480 760 C640 700 820 690 1010 770" fill="none" stroke="#ffffff" stroke-width="34" opacity="0.9"/>
      <path d="M310 795 L1292 795 C1310 840 1290 872 1240 876 L380 882 C320 880 298 840 310 795 Z" fill="url(#sole)"/>
      <path d="M316 838 L1296 832" stroke="#e8472f" stroke-width="9"/>`,
  }
}

export function bottle() {
  return {
    isPlain: true,
    defs:
      linear(
        'glass',
        [
          [0, '#0c3b2e'],
          [0.18, '#2f8f6c'],
          [0.32, '#8fe0bd'],
          [0.42, '#1f7354'],
          [0.8, '#0f4c38'],
          [1, '#06271d'],
        ],
        { x: 1, y: 0 },
      ) +
      linear(
        'label',
        [
          [0, '#cdbf9d'],
          [0.35, '#fbf4e2'],
          [1, '#b7a782'],
        ],
        { x: 1, y: 0 },
      ) +
      linear(
        'cap',
        [
          [0, '#5c4411'],
          [0.35, '#f4d58a'],
          [1, '#6d5115'],
        ],
        { x: 1, y: 0 },
      ),
    body: `<rect ${all} fill="#ffffff"/>
      <ellipse cx="810" cy="1112" rx="210" ry="20" fill="#3c4350" opacity="0.4" filter="url(#haze)"/>
      <path d="M740 180 H860 V380 C870 440 960 470 960 580 V1060 Q960 1112 905 1112 H695 Q640 1112 640 1060 V580 C640 470 730 440 740 380 Z" fill="url(#glass)"/>
      <rect x="728" y="110" width="144" height="96" rx="14" fill="url(#cap)"/>
      <rect x="640" y="640" width="320" height="300" fill="url(#label)"/>
      <circle cx="800" cy="752" r="58" fill="none" stroke="#1f5c45" stroke-width="10"/>
      <path d="M768 752 Q800 690 832 752 Q800 814 768 752 Z" fill="#1f5c45"/>
      <path d="M700 856 H900 M730 888 H870" stroke="#1f5c45" stroke-width="12"/>
      <path d="M684 560 V1050" stroke="#ffffff" stroke-width="20" opacity="0.45" filter="url(#soft)"/>`,
  }
}

export function cup() {
  return {
    defs:
      linear('room', [
        [0, '#5b3a26'],
        [0.6, '#a8693a'],
        [1, '#d89a58'],
      ]) +
      linear('table', [
        [0, '#7a4a2a'],
        [1, '#3a2113'],
      ]) +
      linear(
        'china',
        [
          [0, '#b9b4ab'],
          [0.3, '#ffffff'],
          [0.7, '#ece7de'],
          [1, '#8f887c'],
        ],
        { x: 1, y: 0 },
      ) +
      radial('coffee', [
        [0, '#c98d54'],
        [0.55, '#7a4724'],
        [1, '#2e170a'],
      ]),
    body: `<rect ${all} fill="url(#room)"/>
      ${bokeh(7, ['#ffe2ab', '#ffc46b', '#fff1d6', '#e8964a'], { bottom: 720, size: 80 })}
      <rect y="800" width="${WIDTH}" height="400" fill="url(#table)"/>
      ${grain(11, 800, 400, '#2a170c')}
      <ellipse cx="1040" cy="1020" rx="330" ry="52" fill="#160a04" opacity="0.6" filter="url(#haze)"/>
      <ellipse cx="1030" cy="985" rx="320" ry="62" fill="#e7e1d6"/><ellipse cx="1030" cy="972" rx="300" ry="52" fill="#fbf8f2"/>
      <path d="M1215 690 C1350 660 1370 850 1200 860" fill="none" stroke="#ded7cb" stroke-width="40"/>
      <path d="M800 640 H1240 C1240 850 1160 970 1020 970 C880 970 800 850 800 640 Z" fill="url(#china)"/>
      <ellipse cx="1020" cy="640" rx="220" ry="52" fill="#f6f2ea"/><ellipse cx="1020" cy="646" rx="196" ry="42" fill="url(#coffee)"/>
      <path d="M960 640 Q1020 600 1080 640 Q1020 680 960 640 Z" fill="#f0d9b8" opacity="0.8" filter="url(#soft)"/>
      <path d="M960 560 C930 480 1010 440 975 350 M1070 560 C1040 470 1120 420 1085 320" fill="none" stroke="#ffffff" stroke-width="26" opacity="0.32" filter="url(#haze)"/>`,
  }
}

export function watch() {
  const ticks = Array.from({ length: 60 }, (_, i) => {
    const long = i % 5 === 0 ? 34 : 14
    return `<path d="M0 ${-268} v${long}" transform="translate(960 600) rotate(${i * 6})" stroke="#e9edf2" stroke-width="${i % 5 === 0 ? 10 : 4}"/>`
  }).join('')
  return {
    defs:
      radial('cloth', [
        [0, '#343b48'],
        [1, '#0c0f14'],
      ]) +
      linear(
        'steel',
        [
          [0, '#fbfcfd'],
          [0.3, '#8c949f'],
          [0.55, '#e3e7ec'],
          [1, '#4a515c'],
        ],
        { x: 1, y: 1 },
      ) +
      radial(
        'dial',
        [
          [0, '#2b5fa8'],
          [0.7, '#123363'],
          [1, '#081a36'],
        ],
        { cy: 0.35 },
      ) +
      linear(
        'strap',
        [
          [0, '#1d1410'],
          [0.5, '#6b4630'],
          [1, '#1d1410'],
        ],
        { x: 1, y: 0 },
      ),
    body: `<rect ${all} fill="url(#cloth)"/>${grain(5, 0, HEIGHT, '#050609')}
      <ellipse cx="1000" cy="660" rx="420" ry="420" fill="#000" opacity="0.6" filter="url(#shade)"/>
      <path d="M780 -20 H1140 L1120 320 H800 Z" fill="url(#strap)"/><path d="M800 880 H1120 L1140 1220 H780 Z" fill="url(#strap)"/>
      <rect x="1296" y="566" width="62" height="70" rx="14" fill="url(#steel)"/>
      <circle cx="960" cy="600" r="350" fill="url(#steel)"/><circle cx="960" cy="600" r="306" fill="#0b0e13"/><circle cx="960" cy="600" r="292" fill="url(#dial)"/>
      ${ticks}
      <path d="M960 600 L830 470" stroke="#f4f6f8" stroke-width="22" stroke-linecap="round"/><path d="M960 600 L1120 440" stroke="#f4f6f8" stroke-width="14" stroke-linecap="round"/>
      <path d="M960 680 L960 350" stroke="#ff5b3a" stroke-width="6"/><circle cx="960" cy="600" r="20" fill="#ff5b3a"/>
      <path d="M760 420 A300 300 0 0 1 1120 360 A420 420 0 0 0 760 420 Z" fill="#ffffff" opacity="0.2"/>`,
  }
}

export function food() {
  const roll = rolls(21)
  const colours = ['#e63946', '#f4a261', '#8ac926', '#ffca3a', '#2a9d4f', '#f1faee', '#b5179e']
  const bits = Array.from({ length: 130 }, () => {
    const [angle, far] = [roll() * 6.283, Math.sqrt(roll()) * 330]
    const [x, y] = [980 + Math.cos(angle) * far, 610 + Math.sin(angle) * far]
    const colour = colours[Math.floor(roll() * colours.length)]
    const [rx, ry] = [26 + roll() * 42, 18 + roll() * 26]
    return `<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${(roll() * 180).toFixed(0)})"><ellipse cx="5" cy="9" rx="${rx.toFixed(0)}" ry="${ry.toFixed(0)}" fill="#000" opacity="0.35" filter="url(#soft)"/><ellipse rx="${rx.toFixed(0)}" ry="${ry.toFixed(0)}" fill="${colour}"/><ellipse cx="${(-rx * 0.3).toFixed(0)}" cy="${(-ry * 0.35).toFixed(0)}" rx="${(rx * 0.4).toFixed(0)}" ry="${(ry * 0.25).toFixed(0)}" fill="#fff" opacity="0.4"/></g>`
  }).join('')
  return {
    defs:
      radial(
        'slate',
        [
          [0, '#4a5058'],
          [1, '#1b1e22'],
        ],
        { cx: 0.6 },
      ) +
      radial('bowl', [
        [0.7, '#f7f1e6'],
        [0.9, '#d9cfbd'],
        [1, '#8f866f'],
      ]),
    body: `<rect ${all} fill="url(#slate)"/>${grain(3, 0, HEIGHT, '#0d0f11')}
      <circle cx="1010" cy="660" r="450" fill="#000" opacity="0.55" filter="url(#shade)"/>
      <circle cx="980" cy="610" r="440" fill="url(#bowl)"/><circle cx="980" cy="610" r="372" fill="#3b2a1a"/>${bits}
      <g transform="rotate(-24 300 600)"><rect x="275" y="330" width="26" height="640" rx="13" fill="#c9ced6"/><rect x="345" y="330" width="22" height="640" rx="11" fill="#aeb5bf"/></g>`,
  }
}

/** Streaks, as of wood, cloth or stone. */
function grain(seed, top, height, colour) {
  const roll = rolls(seed)
  const streaks = Array.from({ length: 60 }, () => {
    const y = top + roll() * height
    const bend = (roll() - 0.5) * 60
    return `<path d="M-20 ${y.toFixed(0)} Q800 ${(y + bend).toFixed(0)} 1620 ${y.toFixed(0)}" stroke="${colour}" stroke-width="${(1 + roll() * 5).toFixed(1)}" fill="none" opacity="${(0.08 + roll() * 0.2).toFixed(2)}"/>`
  })
  return `<g filter="url(#soft)">${streaks.join('')}</g>`
}
