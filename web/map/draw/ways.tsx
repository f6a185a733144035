import type { JSX } from 'preact'
import { Chip } from '../../look/chip.tsx'
import { say } from './say.ts'

export const ways = ['map', 'walk', 'size'] as const
export type Way = (typeof ways)[number]

interface WaysProps {
  readonly way: Way
  readonly onWay: (way: Way) => void
}

/** By the cross, on foot, or by its measures. */
export function Ways({ way, onWay }: WaysProps): JSX.Element {
  return (
    <fieldset class="options" aria-label={say('draw.ways')}>
      {ways.map((one) => (
        <Chip key={one} pressed={one === way} onPress={() => onWay(one)}>
          {say(`draw.way.${one}`)}
        </Chip>
      ))}
    </fieldset>
  )
}
