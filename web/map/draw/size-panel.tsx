import type { JSX } from 'preact'
import { decimalIn } from '../../form/typed-number.ts'
import { Icon } from '../../look/icon.tsx'
import type { Size } from './by-size.ts'
import { Figures, wholeFigures } from './corner-panels.tsx'
import type { Corner } from './corners.ts'
import { metresTyped, withUnit } from './measures.ts'
import { NumberField } from './number-field.tsx'
import { say } from './say.ts'

/** As it was typed. */
export interface TypedSize {
  readonly length: string
  readonly width: string
  readonly angle: string
}

export function sizeIn({ length, width, angle }: TypedSize): Size | undefined {
  const [long, wide] = [metresTyped(length), metresTyped(width)]
  if (long === undefined || wide === undefined) return undefined
  return { length: long, width: wide, angle: Number(decimalIn(angle) ?? 0) }
}

interface SizePanelProps {
  readonly typed: TypedSize
  readonly corners: readonly Corner[]
  readonly onType: (part: Partial<TypedSize>) => void
  readonly onPut: () => void
}

/** Length by width, where the cross is. */
export function SizePanel({ typed, corners, onType, onPut }: SizePanelProps): JSX.Element {
  const put = (event: Event) => {
    event.preventDefault()
    onPut()
  }
  return (
    <form class="draw-form" onSubmit={put}>
      <Figures {...wholeFigures(corners, corners.length > 0 ? 'area' : 'point')} />
      <p class="soft">{say('draw.size-hint')}</p>
      <div class="draw-numbers">
        <NumberField
          label={withUnit(say('draw.length'))}
          value={typed.length}
          onText={(length) => onType({ length })}
        />
        <NumberField label={withUnit(say('draw.width'))} value={typed.width} onText={(width) => onType({ width })} />
        <NumberField label={say('draw.angle')} value={typed.angle} onText={(angle) => onType({ angle })} />
      </div>
      <button type="submit" class="btn main-do fill" disabled={corners.length === 0}>
        <Icon name="check" />
        {say('draw.put')}
      </button>
    </form>
  )
}
