// Places and people: mountains, someone at dusk, a car, a living room, a plant at a window.
import { bokeh, HEIGHT, linear, radial, rolls, WIDTH } from './paint.mjs'

const all = `width="${WIDTH}" height="${HEIGHT}"`

export function landscape() {
  const roll = rolls(9)
  const ridge = (base, rise, colour, blur) => {
    let d = `M0 ${base}`
    for (let x = 0; x <= WIDTH; x += 40) {
      const y = base - Math.abs(Math.sin(x * 0.0031 + base) * rise) - roll() * rise * 0.22
      d += ` L${x} ${y.toFixed(0)}`
    }
    return `<path d="${d} V${HEIGHT} H0 Z" fill="${colour}"${blur ? ` filter="url(#${blur})"` : ''}/>`
  }
  return {
    defs:
      linear('sky', [
        [0, '#274b7a'],
        [0.45, '#e59a7a'],
        [0.62, '#ffd9a0'],
        [1, '#ffe9c9'],
      ]) +
      radial('sun', [
        [0, '#fff8e0'],
        [0.2, '#ffe6a8', 0.9],
        [1, '#ffb870', 0],
      ]) +
      linear('lake', [
        [0, '#d98f6c'],
        [1, '#1d3553'],
      ]),
    body: `<rect ${all} fill="url(#sky)"/><circle cx="1130" cy="560" r="430" fill="url(#sun)"/><circle cx="1130" cy="560" r="56" fill="#fffbe9" filter="url(#soft)"/>
      ${ridge(700, 170, '#a77b86', 'blur')}${ridge(760, 210, '#6e5872', 'soft')}${ridge(830, 150, '#43405c', '')}
      <rect y="860" width="${WIDTH}" height="340" fill="url(#lake)"/>
      <path d="M1000 862 H1260 L1330 1200 H930 Z" fill="#ffe3ac" opacity="0.4" filter="url(#haze)"/>
      <rect y="842" width="${WIDTH}" height="40" fill="#ffdcb4" opacity="0.4" filter="url(#haze)"/>
      ${pines(roll)}`,
  }
}

function pines(roll) {
  return Array.from({ length: 16 }, (_, index) => {
    const x = index < 11 ? index * 46 - 30 + roll() * 20 : 1290 + (index - 11) * 74 + roll() * 20
    const tall = 190 + roll() * 210
    const base = 1210
    const tiers = [0, 0.22, 0.44, 0.66].map((step) => {
      const y = base - tall + step * tall
      const half = 16 + step * 62
      return `M${x} ${y.toFixed(0)} L${(x + half).toFixed(0)} ${(y + tall * 0.36).toFixed(0)} H${(x - half).toFixed(0)} Z`
    })
    return `<path d="${tiers.join(' ')}" fill="#101a2b"/>`
  }).join('')
}

export function portrait() {
  return {
    defs:
      linear('dusk', [
        [0, '#1b1d3a'],
        [0.6, '#5b2f5e'],
        [1, '#c4566a'],
      ]) +
      linear(
        'face',
        [
          [0, '#7a4630'],
          [0.45, '#c98a63'],
          [1, '#f3bf94'],
        ],
        { x: 1, y: 0 },
      ) +
      linear(
        'coat',
        [
          [0, '#16233f'],
          [0.7, '#2c4a78'],
          [1, '#6f93c4'],
        ],
        { x: 1, y: 0 },
      ),
    body: `<rect ${all} fill="url(#dusk)"/>${bokeh(31, ['#ffd36e', '#ff8fa3', '#9fd3ff', '#ffb36b'], { count: 60, size: 74 })}
      <path d="M300 1200 C320 960 420 880 560 840 L760 840 C900 880 1000 960 1020 1200 Z" fill="url(#coat)"/>
      <path d="M580 700 H740 V870 Q660 930 580 870 Z" fill="#9a5f41"/>
      <path d="M480 470 C480 300 560 230 660 230 C780 230 850 310 845 460 C842 560 850 570 835 640 C820 730 740 800 670 800 C560 800 480 680 480 470 Z" fill="url(#face)"/>
      <path d="M450 640 C420 360 500 170 680 172 C840 174 890 300 872 420 C830 330 740 330 640 330 C580 340 560 420 548 520 C540 600 520 660 450 640 Z" fill="#24140f"/>
      <path d="M862 300 C885 360 880 420 868 450" stroke="#ffcf9e" stroke-width="10" fill="none" opacity="0.8" filter="url(#soft)"/>
      <path d="M618 500 q42 -22 84 0 M746 500 q36 -20 70 2" stroke="#2b1710" stroke-width="12" fill="none" stroke-linecap="round"/>
      <ellipse cx="664" cy="530" rx="20" ry="11" fill="#1a0f0b"/><ellipse cx="780" cy="532" rx="18" ry="11" fill="#1a0f0b"/>
      <path d="M728 540 C744 590 752 610 730 622" stroke="#8a5238" stroke-width="9" fill="none" opacity="0.8"/>
      <path d="M672 692 Q732 728 792 688 Q732 706 672 692 Z" fill="#9e3b3b"/><path d="M664 690 Q730 740 798 686" stroke="#7c2e2e" stroke-width="8" fill="none"/>
      <path d="M560 840 Q660 960 760 840 L800 860 Q660 1040 520 860 Z" fill="#e9c46a"/>`,
  }
}

export function car() {
  const wheel = (x) =>
    `<circle cx="${x}" cy="900" r="96" fill="#0d0f12"/><circle cx="${x}" cy="900" r="62" fill="#aab2bd"/><circle cx="${x}" cy="900" r="52" fill="#2c323b"/>${[0, 36, 72, 108, 144].map((turn) => `<path d="M${x} 848 V952" stroke="#dbe1e8" stroke-width="11" transform="rotate(${turn} ${x} 900)"/>`).join('')}`
  const roll = rolls(17)
  const streaks = Array.from({ length: 46 }, () => {
    const y = 430 + roll() * 330
    const colour = ['#ffd28a', '#ff9d76', '#7fb2ff', '#ffffff'][Math.floor(roll() * 4)]
    return `<rect x="${(roll() * WIDTH - 200).toFixed(0)}" y="${y.toFixed(0)}" width="${(120 + roll() * 420).toFixed(0)}" height="${(3 + roll() * 9).toFixed(0)}" fill="${colour}" opacity="${(0.15 + roll() * 0.4).toFixed(2)}"/>`
  }).join('')
  return {
    defs:
      linear('evening', [
        [0, '#0f1b33'],
        [0.55, '#54476f'],
        [0.66, '#e08a63'],
        [1, '#2b2a33'],
      ]) +
      linear('paint', [
        [0, '#7fd0ff'],
        [0.35, '#1f7fd1'],
        [0.7, '#0f4f95'],
        [1, '#072a55'],
      ]) +
      linear('road', [
        [0, '#3a3a44'],
        [1, '#141419'],
      ]),
    body: `<rect ${all} fill="url(#evening)"/><g filter="url(#blur)">${streaks}</g>
      <rect y="830" width="${WIDTH}" height="370" fill="url(#road)"/><rect y="1060" width="${WIDTH}" height="14" fill="#e7d9a8" opacity="0.5" filter="url(#soft)"/>
      <ellipse cx="900" cy="1000" rx="640" ry="34" fill="#000" opacity="0.7" filter="url(#haze)"/>
      <path d="M330 880 C320 790 350 750 480 728 C580 640 690 590 860 588 C1020 586 1120 640 1200 716 C1330 730 1440 760 1460 830 C1470 870 1460 900 1440 908 L360 912 C338 908 332 900 330 880 Z" fill="url(#paint)"/>
      <path d="M560 722 C640 650 730 618 840 616 L846 716 Z" fill="#0b1626"/><path d="M872 616 C980 614 1060 650 1130 712 L880 716 Z" fill="#0b1626"/>
      <path d="M590 700 C650 652 720 630 800 624 L770 690 Z" fill="#9fc6ef" opacity="0.5"/>
      <path d="M380 770 C640 735 1100 735 1420 790" stroke="#d6f0ff" stroke-width="9" fill="none" opacity="0.8" filter="url(#soft)"/>
      <path d="M1400 790 q52 6 58 42 l-70 2 Z" fill="#fff4cf"/><circle cx="1450" cy="816" r="80" fill="#fff0bd" opacity="0.55" filter="url(#shade)"/>
      <path d="M334 800 h54 v40 h-58 Z" fill="#ff4636"/>
      ${wheel(560)}${wheel(1220)}`,
  }
}

export function sofa() {
  return {
    defs:
      linear(
        'wall',
        [
          [0, '#e9e1d4'],
          [1, '#cdbfa9'],
        ],
        { x: 1, y: 0.4 },
      ) +
      linear('floor', [
        [0, '#b98a5c'],
        [1, '#7c5735'],
      ]) +
      linear('velvet', [
        [0, '#3d8a7d'],
        [0.5, '#1f6458'],
        [1, '#0e3b34'],
      ]) +
      radial('lamp', [
        [0, '#fff3cf', 0.95],
        [1, '#ffe3a0', 0],
      ]),
    body: `<rect ${all} fill="url(#wall)"/>
      <path d="M0 0 L620 0 L980 860 L220 860 Z" fill="#fff9ea" opacity="0.4" filter="url(#haze)"/>
      <rect y="860" width="${WIDTH}" height="340" fill="url(#floor)"/>
      <ellipse cx="900" cy="1050" rx="620" ry="90" fill="#e6d9c3" opacity="0.85"/><ellipse cx="900" cy="1000" rx="560" ry="46" fill="#2a1a0d" opacity="0.5" filter="url(#haze)"/>
      <rect x="700" y="190" width="260" height="190" fill="#f7f3ea" stroke="#3a2f24" stroke-width="12"/><path d="M715 365 L790 270 L850 330 L890 290 L945 365 Z" fill="#d98f6c"/><circle cx="880" cy="245" r="22" fill="#f2c14e"/>
      <rect x="450" y="520" width="900" height="330" rx="70" fill="url(#velvet)"/>
      <path d="M900 540 V760" stroke="#0e3b34" stroke-width="8" opacity="0.6"/>
      <rect x="480" y="720" width="420" height="170" rx="44" fill="#2f7d70"/><rect x="900" y="720" width="420" height="170" rx="44" fill="#2a7467"/>
      <rect x="370" y="640" width="140" height="300" rx="60" fill="#2b776a"/><rect x="1290" y="640" width="140" height="300" rx="60" fill="#1a5a4f"/>
      <rect x="430" y="880" width="940" height="80" rx="26" fill="#12463d"/>
      <path d="M500 950 v70 M1300 950 v70" stroke="#3a2616" stroke-width="24" stroke-linecap="round"/>
      <rect x="560" y="590" width="200" height="170" rx="36" fill="#e9a23b" transform="rotate(-8 660 670)"/><rect x="1080" y="600" width="180" height="160" rx="36" fill="#f3eadb" transform="rotate(7 1170 680)"/>
      <path d="M1500 1000 V480" stroke="#2b241d" stroke-width="14"/><path d="M1420 480 L1450 330 H1550 L1580 480 Z" fill="#fff0cf"/><circle cx="1500" cy="430" r="260" fill="url(#lamp)"/>`,
  }
}

export function plant() {
  const roll = rolls(43)
  const leaf = (turn, long, colour) =>
    `<g transform="translate(1010 800) rotate(${turn})"><path d="M0 0 C${-long * 0.34} ${-long * 0.3} ${-long * 0.34} ${-long * 0.85} 0 ${-long} C${long * 0.34} ${-long * 0.85} ${long * 0.34} ${-long * 0.3} 0 0 Z" fill="${colour}"/><path d="M0 0 V${-long * 0.96}" stroke="#d5f2c4" stroke-width="6" opacity="0.6"/>${[0.3, 0.45, 0.6, 0.75].map((at) => `<path d="M0 ${-long * at} l${long * 0.17} ${-long * 0.11} M0 ${-long * at} l${-long * 0.17} ${-long * 0.11}" stroke="#d5f2c4" stroke-width="4" opacity="0.4"/>`).join('')}</g>`
  const greens = ['#1d5e38', '#2f8a50', '#3fa863', '#17492c', '#56b870']
  const leaves = Array.from({ length: 15 }, (_, index) => {
    const turn = -84 + index * 12 + roll() * 8
    return leaf(turn.toFixed(0), 330 + roll() * 230, greens[index % greens.length])
  }).join('')
  return {
    defs:
      linear(
        'wall',
        [
          [0, '#fdf6ec'],
          [1, '#e2d3bf'],
        ],
        { x: 1, y: 0 },
      ) +
      linear(
        'pot',
        [
          [0, '#8d4527'],
          [0.35, '#e08a5b'],
          [1, '#7a3a20'],
        ],
        { x: 1, y: 0 },
      ),
    body: `<rect ${all} fill="url(#wall)"/>
      <g opacity="0.5" filter="url(#haze)"><path d="M0 120 L520 0 H760 L0 300 Z M0 420 L900 120 V300 L0 640 Z" fill="#ffffff"/></g>
      <rect y="1010" width="${WIDTH}" height="190" fill="#caa77d"/><rect y="1004" width="${WIDTH}" height="12" fill="#f0dcc0"/>
      <g opacity="0.28" filter="url(#haze)" transform="translate(150 30)">${leaves}</g>
      <ellipse cx="1040" cy="1066" rx="220" ry="28" fill="#4d2f16" opacity="0.55" filter="url(#haze)"/>
      ${leaves}
      <path d="M860 790 H1160 L1120 1050 Q1116 1068 1096 1068 H924 Q904 1068 900 1050 Z" fill="url(#pot)"/><rect x="840" y="770" width="340" height="66" rx="16" fill="#d07c4e"/>`,
  }
}
