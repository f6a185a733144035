import type { ComponentProps, JSX } from 'preact'
import { DetailsLine, type Said } from './details.tsx'
import { UnitField } from './units.tsx'

interface SaidWithUnit extends Said {
  readonly unit: string
}

interface AmountDetailsProps extends Omit<ComponentProps<typeof DetailsLine>, 'said' | 'onSay'> {
  readonly said: SaidWithUnit
  readonly onSay: (part: Partial<SaidWithUnit>) => void
}

/** The details of an entry with an amount: its unit may be one that no chip has. */
export function AmountDetails({ said, onSay, children, ...others }: AmountDetailsProps): JSX.Element {
  return (
    <DetailsLine said={said} onSay={onSay} {...others}>
      <UnitField unit={said.unit} onUnit={(unit) => onSay({ unit })} />
      {children}
    </DetailsLine>
  )
}
