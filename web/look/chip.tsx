import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface ChipProps {
  readonly onPress: () => void
  /** Absent for a chip that opens something. */
  readonly pressed?: boolean
  readonly icon?: IconName
  readonly label?: string
  readonly children: ComponentChildren
}

export function Chip({ onPress, pressed, icon, label, children }: ChipProps): JSX.Element {
  return (
    <button type="button" class="chip" aria-pressed={pressed} aria-label={label} onClick={onPress}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** An active filter; a tap removes it. */
export function ChosenChip({ onPress, label, children }: Omit<ChipProps, 'pressed' | 'icon'>): JSX.Element {
  return (
    <button type="button" class="chip on" aria-pressed="true" aria-label={label} onClick={onPress}>
      {children}
      <Icon name="close" />
    </button>
  )
}
