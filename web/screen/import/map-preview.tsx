import type { JSX } from 'preact'
import { dotted } from '../../look/names.ts'
import { Row } from '../../look/row.tsx'
import { Section } from '../../look/section.tsx'
import type { Fault, MapAnswer, MapFeature } from './answers.ts'
import { Counted } from './counts.tsx'
import { answersIn, forPeople } from './readings.ts'
import { say } from './say.ts'

const mostShown = 20

/** What would become of the features of a map. */
export function MapPreview({
  map: { counts, features, left_out, would_create },
}: {
  readonly map: MapAnswer
}): JSX.Element {
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
export function MapProblems({ errors }: { readonly errors: readonly Fault[] }): JSX.Element | null {
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
