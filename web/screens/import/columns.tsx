import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CatalogueBundle } from '../../../src/doors/app/documents.ts'
import { Chip } from '../../look/chip.tsx'
import { Section } from '../../look/list.tsx'
import { bundleOf } from '../../look/names.ts'
import type { LocalRecordType } from '../../store/record.ts'
import { say } from '../../words/say.ts'
import { withoutAdvice } from './import-api.ts'
import { check } from './import-requests.ts'
import { changeOptions, checkedMap, importOptions, rowType } from './import-state.ts'
import { Select } from './select.tsx'
import type { PlacedFault, SheetColumn } from './sheet-findings.ts'

/** Limit of column selects: each contains the names of all fields. */
const mostAsked = 30

/** Field of each column; columns that need the user come first. */
export function Columns({ columns }: { readonly columns: readonly SheetColumn[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const named = columns.filter(({ header }) => header.trim() !== '')
  const unclear = named.filter(({ faults }) => faults.length > 0)
  const clear = named.filter(({ faults }) => faults.length === 0)
  const bundle = rowType.value === null ? undefined : bundleOf(rowType.value)
  const choices = bundle === undefined ? [] : fieldChoices(bundle, rowType.value?.type)
  const row = (column: SheetColumn) => <ColumnField key={column.header} column={column} choices={choices} />
  return (
    <>
      {unclear.length > 0 && (
        <Section title={say('import.unknown-columns', { count: unclear.length })} tone="late">
          {unclear.slice(0, mostAsked).map(row)}
          {unclear.length > mostAsked && (
            <li class="words">{say('import.not-told', { count: unclear.length - mostAsked })}</li>
          )}
          {unclear.length > 0 && <LeaveOthersOut columns={unclear} />}
        </Section>
      )}
      {clear.length > 0 && (
        <div class="words">
          <details class="disclosure" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary>{say('import.known-columns', { count: clear.length })}</summary>
            {isOpen && <ul>{clear.slice(0, mostAsked).map(row)}</ul>}
          </details>
        </div>
      )}
    </>
  )
}

function LeaveOthersOut({ columns }: { readonly columns: readonly SheetColumn[] }): JSX.Element {
  const leaveOut = () => {
    const others = columns.filter(({ header }) => importOptions.value.map[header] === undefined)
    changeOptions({ map: Object.fromEntries(others.map(({ header }) => [header, ''])) })
  }
  const keepInNotes = () => {
    changeOptions({ parameters: { others: 'notes' } })
    void check()
  }
  return (
    <li class="words">
      <div class="options">
        <button type="button" class="btn" onClick={keepInNotes}>
          {say('import.keep-others')}
        </button>
        <button type="button" class="btn" onClick={leaveOut}>
          {say('import.leave-out-others')}
        </button>
      </div>
    </li>
  )
}

/** If the fault lists allowed fields, the offered choices say enough. */
const isTold = ({ allowed }: Pick<PlacedFault, 'allowed'>): boolean => allowed === undefined

/** Value of "leave out"; not a field name. */
const leftOut = '-'

interface ColumnFieldProps {
  readonly column: SheetColumn
  readonly choices: readonly FieldChoice[]
}

function ColumnField({ column: { header, found, faults, example }, choices }: ColumnFieldProps): JSX.Element {
  const wished = importOptions.value.map[header]
  // The farm has checked this mapping: a remaining fault is a new one.
  const isLookedAt = wished === checkedMap.value[header]
  const chosen = wished === '' ? leftOut : (wished ?? found?.field ?? '')
  const take = (field: string) => changeOptions({ map: { [header]: field === leftOut ? '' : field || undefined } })
  const isOther = chosen !== leftOut && chosen !== '' && !choices.some(({ name }) => name === chosen)
  const near = choicesNamed(
    faults.flatMap(({ allowed = [] }) => allowed),
    choices,
  )
  return (
    <li class="words">
      <Select
        label={
          <>
            <bdi>{header}</bdi>
            {example !== '' && `, ${say('import.for-example', { value: example })}`}
          </>
        }
        value={chosen}
        isWrong={faults.length > 0 && isLookedAt}
        choices={[
          ...(wished === undefined && found !== undefined ? [] : [{ value: '', label: say('import.choose-field') }]),
          { value: leftOut, label: say('import.leave-out') },
          ...(isOther ? [{ value: chosen, label: chosen }] : []),
          ...choices.map(({ name, label }) => ({ value: name, label })),
        ]}
        onChoose={take}
      />
      {found?.because !== undefined && wished === undefined && (
        <p class="small soft">{say(`import.because.${found.because}`)}</p>
      )}
      {isLookedAt &&
        faults
          .filter((fault) => wished !== undefined || isTold(fault))
          .map(({ message }) => (
            <p class="fault" key={message}>
              {withoutAdvice(message)}
            </p>
          ))}
      {isLookedAt && near.length > 0 && (
        <div class="options spaced">
          {near.map(({ name, label }) => (
            <Chip key={name} onPress={() => take(name)}>
              {say('import.perhaps', { field: label })}
            </Chip>
          ))}
        </div>
      )}
    </li>
  )
}

interface FieldChoice {
  /** Name on the wire: `movement.area`. */
  readonly name: string
  readonly label: string
}

/** What columns are about that becomes other records, or names them. */
const subjects = {
  log: ['crop', 'variety', 'clock'],
  asset: [
    'tag',
    'chip',
    'mother',
    'father',
    'weight',
    'weighed',
    'place',
    'herd',
    'arrival',
    'departure',
    'reason',
    'came_by',
  ],
  term: [],
} as const satisfies Record<LocalRecordType, readonly string[]>

/** Fields a column can map to; members of a part follow the part. */
export function fieldChoices(
  { fields }: Pick<CatalogueBundle, 'fields'>,
  type: LocalRecordType = 'term',
): readonly FieldChoice[] {
  const written = Object.entries(fields).filter(([, field]) => !field.read_only && field.computed === undefined)
  return [
    ...written.flatMap(([name, { label, fields: members = {} }]) => [
      { name, label },
      ...Object.entries(members).map(([member, inside]) => ({
        name: `${name}.${member}`,
        label: say('import.part', { part: label, member: inside.label }),
      })),
    ]),
    ...subjects[type]
      .filter((name) => fields[name] === undefined && (type === 'log' ? fields.asset : fields.animal_sex) !== undefined)
      .map((name) => ({ name, label: say(`import.field.${name}`) })),
    ...(['id', 'uuid', ...(type === 'log' ? (['type'] as const) : [])] as const).map((name) => ({
      name,
      label: say(`import.field.${name}`),
    })),
  ]
}

/** Fields by the names and labels that the farm suggests. */
export function choicesNamed(words: readonly string[], choices: readonly FieldChoice[]): readonly FieldChoice[] {
  return choices.filter(({ name, label }) => words.includes(name) || words.includes(label))
}
