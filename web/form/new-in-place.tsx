import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { bundlesOf, labelOf } from '../look/names.ts'
import { ModalSheet } from '../look/sheet.tsx'
import type { RecordFormProps } from './form-props.ts'
import type { NewAsked } from './new-record.ts'
import { say } from './say.ts'
import type { Written } from './written.ts'

interface NewInPlaceProps {
  readonly asked: NewAsked
  readonly Form: (props: RecordFormProps) => JSX.Element
  readonly onMade: (written: Written) => void
  readonly onClose: () => void
}

/** A record that another refers to before it is there: its form over that of the other, with which it is saved. */
export function NewInPlace({ asked: { of, name }, Form, onMade, onClose }: NewInPlaceProps): JSX.Element {
  const { type, bundles = bundlesOf(type).map(({ bundle }) => bundle) } = of
  const [bundle, setBundle] = useState(bundles.length === 1 ? bundles[0] : undefined)
  return (
    <ModalSheet title={say('form.new-named', { name })} onClose={onClose}>
      {bundle === undefined ? (
        <div class="options">
          {bundles.map((one) => (
            <Chip key={one} onPress={() => setBundle(one)}>
              {labelOf({ type, bundle: one })}
            </Chip>
          ))}
        </div>
      ) : (
        <Form
          subject={{ type, bundle, record: null }}
          given={{ name }}
          draft={null}
          onSave={async (written) => onMade(written)}
        />
      )}
    </ModalSheet>
  )
}
