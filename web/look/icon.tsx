import type { JSX } from 'preact'
import { fillings, type IconName, icons } from './icons.ts'

interface IconProps {
  readonly name: IconName
  readonly size?: 'small' | 'normal'
}

/** What leads somewhere leads the other way where people read from right to left. */
const waysOn = /back|next|move|undo/

/** Always beside a word, or inside a control that has a spoken name: so it is hidden from screen readers. */
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
