import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { dotted } from '../../look/names.ts'
import { Row } from '../../look/row.tsx'
import { Section } from '../../look/section.tsx'
import type { Fault, MapAnswer, MapFeature } from './answers.ts'
import { Columns } from './columns.tsx'
import { Counted } from './counts.tsx'
import { sayAndCheck } from './import-it.ts'
import { Options } from './options.tsx'
import { answersIn, forPeople, nameOf, type Question } from './readings.ts'
import { say } from './say.ts'
import { sheetFindings } from './sheet-findings.ts'
import { SheetPreview } from './sheet-preview.tsx'
import { checked, failure, source } from './state.ts'

/** What the farm has found in it, in the order in which one deals with it. */
export function Findings(): JSX.Element {
  const found = checked.value
  const told = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (found !== null || failure.value?.status === 422) told.current?.focus()
  }, [found, failure.value])
  return (
    <div ref={told} tabIndex={-1}>
      {found?.of === 'sheet' && <OfSheet sheet={found.sheet} />}
      {found?.of === 'map' && <MapPreview map={found.map} />}
      <AskedInRefusal />
      {source.value?.format !== 'sheet' && <MapProblems errors={failure.value?.errors ?? []} />}
      <Options />
    </div>
  )
}

function OfSheet({ sheet }: { readonly sheet: Extract<typeof checked.value, { of: 'sheet' }>['sheet'] }): JSX.Element {
  const findings = sheetFindings(sheet)
  return (
    <>
      {findings.questions.map(({ fault, answers }) => (
        <Asked key={fault.column} words={wordsOf({ fault, answers })} answers={answers} />
      ))}
      <Columns columns={findings.columns} />
      <SheetPreview sheet={sheet} findings={findings} />
    </>
  )
}

function wordsOf({ fault, answers: [first] }: Question): string {
  const { value } = fault
  const row = String(fault.row)
  if (first === undefined || nameOf(first) !== 'done') return say('import.question', { ...fault, row })
  return value === '' ? say('import.question.harvest', { row }) : say('import.question.plan', { value })
}

/** What has to be known before the farm can read it at all. */
function AskedInRefusal(): JSX.Element {
  const asked = (failure.value?.errors ?? []) as readonly { allowed?: readonly string[]; message: string }[]
  return (
    <>
      {asked.flatMap(({ allowed = [], message }) => {
        const answers = answersIn(allowed)
        const [first] = answers
        if (first === undefined) return []
        const words =
          first === 'far=ok'
            ? say('import.question.far', { place: message.replace(/^.* at /, '') })
            : say('import.question.sep')
        return [<Asked key={first} words={words} answers={answers} />]
      })}
    </>
  )
}

function Asked({ words, answers }: { readonly words: string; readonly answers: Question['answers'] }): JSX.Element {
  return (
    <fieldset class="words">
      <legend>{words}</legend>
      <div class="options">
        {answers.map((one) => (
          <Chip key={one} onPress={() => sayAndCheck(one)}>
            {say(`import.say.${one}`)}
          </Chip>
        ))}
      </div>
    </fieldset>
  )
}

const mostShown = 20

/** What would become of the features of a map. */
function MapPreview({ map: { counts, features, left_out, would_create } }: { readonly map: MapAnswer }): JSX.Element {
  // Those with problems first: what is right needs no look.
  const shown = features.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, mostShown)
  const leftOut = left_out.map(({ what, count }) => say('import.many', { what, count }))
  return (
    <Section title={say('import.preview')}>
      <Counted counts={counts} terms={would_create}>
        {leftOut.length > 0 && <p class="small soft">{say('import.left-out', { what: leftOut.join(', ') })}</p>}
      </Counted>
      {shown.map((one, at) => (
        <Row key={at} title={titleOf(one)} second={secondOf(one)} />
      ))}
      {features.length > mostShown && (
        <li class="words">{say('import.not-told', { count: features.length - mostShown })}</li>
      )}
    </Section>
  )
}

const rankOf = ({ faults, named }: MapFeature): number => (faults !== undefined ? 0 : named ? 1 : 2)

const titleOf = ({ name, feature = 0 }: MapFeature): JSX.Element => (
  <bdi>{name || say('import.problem-of-feature', { number: feature + 1 })}</bdi>
)

function secondOf({ result, named, faults = [] }: MapFeature): string {
  const reasons = faults.map(({ field, message }) => say('import.part', { part: field, member: forPeople(message) }))
  return dotted([say(`import.result.${result}`), named ? say('import.named') : '', ...reasons])
}

/** What is wrong with them, each by its number in the map. */
function MapProblems({ errors }: { readonly errors: readonly Fault[] }): JSX.Element | null {
  const problems = errors.filter(({ allowed = [] }) => answersIn(allowed).length === 0)
  if (problems.length === 0) return null
  return (
    <Section title={say('import.problems')} tone="late" count={problems.length}>
      {problems.map(({ field, message }) => (
        <Row key={field + message} title={placeOf(field)} second={forPeople(message)} />
      ))}
    </Section>
  )
}

/** "Feature 4: name" of `features[3].name`. */
function placeOf(field: string): string {
  const [, index, rest = ''] = /^features\[(\d+)\]\.?(.*)$/.exec(field) ?? []
  if (index === undefined) return field
  const feature = say('import.problem-of-feature', { number: Number(index) + 1 })
  return rest === '' ? feature : say('import.part', { part: feature, member: rest })
}
