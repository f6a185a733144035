import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { Row, Section } from '../../look/list.tsx'
import { say } from '../../words/say.ts'
import { Columns } from './columns.tsx'
import {
  answersIn,
  isOffered,
  type MapFault,
  optionName,
  optionValue,
  type Question,
  type ReadingOptionName,
  readingsOf,
  type SheetAnswer,
  withoutAdvice,
} from './import-api.ts'
import { answerAndCheck, check } from './import-requests.ts'
import { changeOptions, checked, failure, hasRows, importOptions, properties, rowType, source } from './import-state.ts'
import { MapPreview } from './map-preview.tsx'
import { Select } from './select.tsx'
import { sheetFindings } from './sheet-findings.ts'
import { SheetPreview } from './sheet-preview.tsx'

/** Findings of the check, in the order the user deals with them. */
export function Findings(): JSX.Element {
  const found = checked.value
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (found !== null || failure.value?.status === 422) container.current?.focus()
  }, [found, failure.value])
  return (
    <div ref={container} tabIndex={-1}>
      {found?.of === 'sheet' && <SheetFindings sheet={found.sheet} />}
      {found?.of === 'map' && <MapPreview map={found.map} />}
      <RefusalQuestions />
      {!hasRows(source.value) && <MapProblems errors={failure.value?.errors ?? []} />}
      <Options />
    </div>
  )
}

function SheetFindings({
  sheet,
}: {
  readonly sheet: Extract<typeof checked.value, { of: 'sheet' }>['sheet']
}): JSX.Element {
  const findings = sheetFindings(sheet)
  return (
    <>
      {findings.questions.map(({ fault, answers }) => (
        <QuestionButtons key={fault.column} words={wordsOf({ fault, answers })} answers={answers} />
      ))}
      <WorkbookSheets found={sheet.found} />
      <Columns columns={findings.columns} />
      <SheetPreview sheet={sheet} findings={findings} />
    </>
  )
}

/** Choice between the sheets of a workbook. */
function WorkbookSheets({
  found: { sheet = '', sheets = [], alike = [], together },
}: Pick<SheetAnswer, 'found'>): JSX.Element | null {
  if (sheets.length < 2) return null
  const all = { value: '*', label: say('import.together', { count: alike.length }) }
  return (
    <div class="words">
      <Select
        label={say('import.sheet')}
        value={together === undefined ? sheet : all.value}
        choices={[...(alike.length === 0 ? [] : [all]), ...sheets.map((name) => ({ value: name, label: name }))]}
        onChoose={(name) => {
          changeOptions({ parameters: { sheet: name } })
          void check()
        }}
      />
    </div>
  )
}

function wordsOf({ fault, answers: [first] }: Question): string {
  const { value } = fault
  const row = String(fault.row)
  if (first !== undefined && optionName(first) === 'year') return say('import.question.year', { ...fault, row })
  if (first?.startsWith('perennial=')) return say('import.question.perennial', { value })
  if (first !== undefined && optionName(first) === 'weighed') return say('import.question.weighed', { ...fault, row })
  if (first !== undefined && optionName(first) === 'left') return say('import.question.left', { ...fault, row })
  if (first === undefined || optionName(first) !== 'done') return say('import.question', { ...fault, row })
  return value === '' ? say('import.question.harvest', { row }) : say('import.question.plan', { value })
}

/** Questions to answer before the farm can read the file. */
function RefusalQuestions(): JSX.Element {
  const refusalErrors = (failure.value?.errors ?? []) as readonly { allowed?: readonly string[]; message: string }[]
  return (
    <>
      {refusalErrors.flatMap(({ allowed = [], message }) => {
        const answers = answersIn(allowed)
        const [first] = answers
        if (first === undefined) return []
        const words =
          first === 'far=ok'
            ? say('import.question.far', { place: message.replace(/^.* at /, '') })
            : say(first.startsWith('tracks=') ? 'import.question.tracks' : 'import.question.sep')
        return [<QuestionButtons key={first} words={words} answers={answers} />]
      })}
    </>
  )
}

function QuestionButtons({
  words,
  answers,
}: {
  readonly words: string
  readonly answers: Question['answers']
}): JSX.Element {
  return (
    <fieldset class="words">
      <legend>{words}</legend>
      <div class="options">
        {answers.map((one) => (
          <Chip key={one} onPress={() => answerAndCheck(one)}>
            {isOffered(one) ? optionValue(one) : say(`import.say.${one}`)}
          </Chip>
        ))}
      </div>
    </fieldset>
  )
}

/** Problems, each with the number of its feature. */
function MapProblems({ errors }: { readonly errors: readonly MapFault[] }): JSX.Element | null {
  const problems = errors.filter(({ allowed = [] }) => answersIn(allowed).length === 0)
  if (problems.length === 0) return null
  return (
    <Section title={say('import.problems')} tone="late" count={problems.length}>
      {problems.map(({ field, message }) => (
        <Row key={field + message} title={placeOf(field)} second={withoutAdvice(message)} />
      ))}
    </Section>
  )
}

/** "Feature 4: name" for `features[3].name`. */
function placeOf(field: string): string {
  const [, index, rest = ''] = /^features\[(\d+)\]\.?(.*)$/.exec(field) ?? []
  if (index === undefined) return field
  const feature = say('import.problem-of-feature', { number: Number(index) + 1 })
  return rest === '' ? feature : say('import.part', { part: feature, member: rest })
}

/** Detected or default options, which the user can change. */
function Options(): JSX.Element | null {
  const isSheet = hasRows(source.value)
  if (checked.value === null && failure.value?.failure !== 'failed') return null
  return (
    <div class="words">
      <details class="disclosure" open={!isSheet && failure.value !== null}>
        <summary>{say('import.options')}</summary>
        {isSheet ? <SheetOptions /> : <MapOptions />}
      </details>
    </div>
  )
}

function SheetOptions(): JSX.Element {
  const ofType: ReadingOptionName = rowType.value?.type === 'log' ? 'done' : 'match'
  const names: readonly ReadingOptionName[] = ['sep', 'decimal', 'dates', ofType, 'empty', 'overwrite']
  return (
    <>
      <HeadRow />
      {names.map((name) => (
        <ReadingField key={name} name={name} />
      ))}
    </>
  )
}

function HeadRow(): JSX.Element {
  const id = useId()
  return (
    <div class="form-field">
      <label for={id}>{say('import.head-row')}</label>
      <span class="field">
        <input
          id={id}
          type="number"
          min={1}
          max={1000}
          value={importOptions.value.parameters.head_row ?? '1'}
          onInput={({ currentTarget: { value } }) => changeOptions({ parameters: { head_row: value } })}
        />
      </span>
    </div>
  )
}

function ReadingField({ name }: { readonly name: ReadingOptionName }): JSX.Element {
  const choices = readingsOf(name)
    .filter((reading) => reading !== 'match=tag' || rowType.value?.type === 'asset')
    .map((reading) => ({ value: optionValue(reading), label: say(`import.say.${reading}`) }))
  const take = (value: string) => changeOptions({ parameters: { [name]: value } })
  return (
    <Select
      label={say(`import.option.${name}`)}
      value={importOptions.value.parameters[name] ?? ''}
      choices={choices}
      onChoose={take}
    />
  )
}

/** Value of "as detected"; not a valid property name. */
const asFound = '='

function MapOptions(): JSX.Element {
  const known = [
    { value: asFound, label: say('import.as-found') },
    { value: '', label: say('import.none') },
    ...properties.value.map((value) => ({ value, label: value })),
  ]
  return (
    <>
      {(['name', 'type', 'parent'] as const).map((field) => (
        <Select
          key={field}
          label={say(`import.property.${field}`)}
          value={importOptions.value.map[field] ?? asFound}
          choices={known}
          onChoose={(value) => changeOptions({ map: { [field]: value === asFound ? undefined : value } })}
        />
      ))}
      <ReadingField name="match" />
      <ReadingField name="overwrite" />
    </>
  )
}
