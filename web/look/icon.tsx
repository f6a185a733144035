import type { JSX } from 'preact'

interface IconProps {
  readonly name: IconName
  readonly size?: 'small' | 'normal'
}

/** Icons to mirror in right-to-left languages. */
const waysOn = /back|next|move|undo/

/** Hidden from screen readers: an icon is always beside a word or in a labelled control. */
export function Icon({ name, size = 'normal' }: IconProps): JSX.Element {
  const filling = fillings[name]
  return (
    <svg
      class={`ic${size === 'small' ? ' s' : ''}${waysOn.test(name) ? ' way' : ''}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={icons[name]} />
      {filling && <path d={filling} fill="currentColor" />}
    </svg>
  )
}

/** 24 px grid, stroke 2, one path each to save bytes. */
export const icons = {
  today:
    'M6 4h12a2 2 0 0 1 2 2v13a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-13a2 2 0 0 1 2 -2zM8 2v4M16 2v4M4 9.5h16M8.5 15l2.5 2.5 4.5-4.5',
  map: 'M3 6.5l6-2.5 6 2.5 6-2.5v13.5l-6 2.5-6-2.5-6 2.5zM9 4v13.5M15 6.5V20',
  plus: 'M12 5v14M5 12h14',
  records:
    'M6 3h12a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2zM8.5 3v18M12 8h4.5M12 12h4.5',
  more: 'M4 7h16M4 12h16M4 17h10',
  move: 'M3.5 18.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M5 14.5v-1A4.5 4.5 0 0 1 9.5 9H20M15.5 4.5L20 9l-4.5 4.5',
  harvest: 'M3.5 10h17l-2 10.5h-13zM7.5 10c0-4 1.5-6.5 4.5-6.5s4.5 2.5 4.5 6.5M9.5 14v3M14.5 14v3',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM9 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
  seed: 'M12 21v-9.5M12 12c0-4.5 3-6.5 8.5-6.5 0 4.5-3 6.5-8.5 6.5zM12 16c0-3.5-3-5.5-8-5.5C4 14 7 16 12 16zM7 21h10',
  input: 'M8 3h8l-2 4.5h-4zM10 7.5C6 9.5 4.5 13 4.5 16c0 3 1.5 5 4 5h7c2.5 0 4-2 4-5 0-3-1.5-6.5-5.5-8.5M9 15.5h6',
  weigh:
    'M6.5 4h11a3 3 0 0 1 3 3v10.5a3 3 0 0 1 -3 3h-11a3 3 0 0 1 -3 -3v-10.5a3 3 0 0 1 3 -3zM7.5 12.5a4.5 4.5 0 0 1 9 0zM12 12.5l1.5-2.5',
  treat: 'M16.5 3l4.5 4.5M18.75 5.25L15.5 8.5M12.5 5.5l6 6M17 10l-7.5 7.5H6.5v-3L14 7M6.5 17.5L3 21M11 10l2 2',
  maintain: 'M20 7.5a5 5 0 0 1-6.7 6l-5.6 5.7a2.4 2.4 0 0 1-3.4-3.4l5.7-5.6A5 5 0 0 1 16 3.5L13 6.5l.7 3.3 3.3.7z',
  search: 'M4 10.5a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0 -13 0M20.5 20.5l-5.3-5.3',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  check: 'M4.5 12.5l5 5L19.5 7',
  flag: 'M6 21V4h12.5l-2.5 4 2.5 4H6',
  locate: 'M5.5 12a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0 -13 0M12 2v3.5M12 18.5V22M2 12h3.5M18.5 12H22M12 12h.01',
  layers: 'M12 4l9 5-9 5-9-5zM3 14.5l9 5 9-5',
  cow: 'M7.5 6.5C5.5 6 5 4.5 5.5 2.5M16.5 6.5c2-.5 2.5-2 2-4M7 8.5L2.5 8c.2 2.8 2 4 4.5 3.7M17 8.5l4.5-.5c-.2 2.8-2 4-4.5 3.7M7 8.5c0-1.3 1-2 2-2h6c1 0 2 .7 2 2V13c0 1.3.7 2.2.7 3.7 0 2.8-2.7 4.8-5.7 4.8s-5.7-2-5.7-4.8c0-1.5.7-2.4.7-3.7zM6.8 15.2c3.2-1.2 7.2-1.2 10.4 0M10 18.2h.01M14 18.2h.01',
  sheep:
    'M6.5 17a3.3 3.3 0 0 1-2.3-5.7A3.3 3.3 0 0 1 7 6.4a3.7 3.7 0 0 1 6.3-.4 3.3 3.3 0 0 1 4 1.6M6.5 17H14c1.2 0 2.1-.3 2.8-1M8 17v4M13 17v4',
  hen: 'M3.5 7.5c2.5 0 3.5 5 6.5 5s4-2 4-4.7C14 5.5 15.2 4 17 4s3 1.5 3 3.5l1.7 1.5-1.7.7C20 15.5 16.5 19 12 19s-8.5-4-8.5-11.5zM10.5 19v2.5M14 19v2.5M16 4c-.3-1.8 2.3-1.8 2 0M17 8h.01',
  pig: 'M4 13a8 8 0 1 0 16 0a8 8 0 1 0 -16 0M5 9L4.5 3c2.3.2 4.2 1 5.5 2.5M19 9l.5-6c-2.3.2-4.2 1-5.5 2.5M7.8 15.5a4.2 3 0 1 0 8.4 0a4.2 3 0 1 0 -8.4 0M10.6 15.5h.01M13.4 15.5h.01M9 10h.01M15 10h.01',
  carrot:
    'M15 9c2 2.2 1 4.5-1.2 6L4 20.5 9 10c1.3-2.2 4-3 6-1zM15 9c-.7-2.7 0-5 2-6M15 9c2.7.7 5 0 6-2M9.5 14l1.5 1.5M12.5 11l1.5 1.5',
  wheat:
    'M12 21.5V8M12 8c-1.7-1.5-1.7-4 0-5.5C13.7 4 13.7 6.5 12 8zM12 13.5C9 13.5 7 12 7 8.5c3.3 0 5 2 5 5zM12 13.5c3 0 5-1.5 5-5-3.3 0-5 2-5 5zM12 19c-3 0-5-1.5-5-5 3.3 0 5 2 5 5zM12 19c3 0 5-1.5 5-5-3.3 0-5 2-5 5z',
  tree: 'M12 21.5V11M12 15l3.5-3M8 21.5h8M8 17a4.5 4.5 0 0 1-3-8.2 7 7 0 0 1 14 0A4.5 4.5 0 0 1 16 17',
  time: 'M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0 -17 0M12 7v5l3.5 2',
  camera: 'M3.5 8H7l2-3h6l2 3h3.5v11.5h-17zM8.5 13.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0',
  backspace: 'M9 5h12v14H9l-6-7zM12.5 9.5l5 5M17.5 9.5l-5 5',
  undo: 'M9 5L4 10l5 5M4 10h10.5a5 5 0 0 1 0 10H10',
} as const

/** Filled parts of icons. */
export const fillings: Partial<Record<IconName, string>> = {
  sheep: 'M16.5 10.5c1.2-1.2 3.3-1.3 5-.2 0 2.7-1 4.7-2.6 4.7s-2.4-1.8-2.4-4.5z',
}

export type IconName = keyof typeof icons
