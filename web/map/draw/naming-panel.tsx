import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { areaBundle } from '../../../src/farm/bundle-names.ts'
import { type FormReference, ReferenceControl } from '../../forms/reference.tsx'
import { Chip } from '../../look/chip.tsx'
import { bundleOf, choiceLabel } from '../../look/names.ts'
import { catalogue } from '../../store/local-copy.ts'
import { say } from '../../words/say.ts'
import { Figures, wholeFigures } from './corner-panels.tsx'
import { type Corner, formOf, type ShapeForm } from './geometry.ts'

export interface AreaDetails {
  readonly name: string
  readonly type: string
  readonly parent: readonly FormReference[]
  readonly form: ShapeForm
}

interface NamingPanelProps {
  readonly corners: readonly Corner[]
  readonly naming: AreaDetails
  readonly onChange: (part: Partial<AreaDetails>) => void
  /** Set if the user chooses between area and line, such as a fence. */
  readonly forms?: 'chosen'
  readonly onSave: () => void
  readonly onBack: () => void
  readonly fault?: string | undefined
}

/** Name, type and parent of the new area. */
export function NamingPanel(props: NamingPanelProps): JSX.Element {
  const { corners, naming, onChange, forms, onSave, onBack, fault } = props
  const { name, form } = naming
  const save = (event: Event) => {
    event.preventDefault()
    onSave()
  }
  return (
    <form class="draw-form" onSubmit={save}>
      <Figures {...wholeFigures(corners, form)} />
      <NameAndType naming={naming} onChange={onChange} />
      {forms === 'chosen' && formOf(corners) === 'area' && (
        <AreaOrLine form={form} onForm={(chosen) => onChange({ form: chosen })} />
      )}
      <LiesIn parent={naming.parent} onParent={(parent) => onChange({ parent })} />
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" class="btn main-do fill" disabled={name.trim() === ''}>
        {name.trim() === '' ? say('draw.needs-name') : say('draw.save', { name: name.trim() })}
      </button>
      <button type="button" class="btn plain" onClick={onBack}>
        {say('draw.back')}
      </button>
    </form>
  )
}

type PartProps = Pick<NamingPanelProps, 'naming' | 'onChange'>

function NameAndType({ naming: { name, type }, onChange }: PartProps): JSX.Element {
  const types = catalogue.value?.lists.area_types ?? []
  return (
    <div class="two">
      <label class="labelled">
        <span class="soft small">{say('draw.name')}</span>
        <span class="field">
          <input
            value={name}
            maxLength={255}
            autocomplete="off"
            onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
          />
        </span>
      </label>
      <label class="labelled">
        <span class="soft small">{say('draw.type')}</span>
        <span class="field">
          <select value={type} onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}>
            {types.map(({ value }) => (
              <option key={value} value={value}>
                {choiceLabel('area_types', value)}
              </option>
            ))}
          </select>
        </span>
      </label>
    </div>
  )
}

interface AreaOrLineProps {
  readonly form: ShapeForm
  readonly onForm: (form: ShapeForm) => void
}

/** Fences and streams are lines. */
function AreaOrLine({ form, onForm }: AreaOrLineProps): JSX.Element {
  return (
    <fieldset class="options" aria-label={say('draw.form')}>
      {(['area', 'line'] as const).map((one) => (
        <Chip key={one} pressed={form === one} onPress={() => onForm(one)}>
          {say(`draw.form.${one}`)}
        </Chip>
      ))}
    </fieldset>
  )
}

interface LiesInProps {
  readonly parent: readonly FormReference[]
  readonly onParent: (parent: readonly FormReference[]) => void
}

function LiesIn({ parent, onParent }: LiesInProps): JSX.Element | null {
  const id = useId()
  const field = bundleOf({ type: 'term', bundle: areaBundle })?.fields.parent
  if (field === undefined) return null
  return (
    <div class="labelled">
      <label class="soft small" for={id}>
        {say('draw.lies-in')}
      </label>
      <ReferenceControl
        field={{ ...field, within: [areaBundle] }}
        label={say('draw.lies-in')}
        id={id}
        value={parent}
        onChange={(value) => onParent((value ?? []) as readonly FormReference[])}
        faults={[]}
        describedBy={undefined}
      />
    </div>
  )
}
