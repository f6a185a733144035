import type { JSX } from 'preact'
import { Row } from '../../look/row.tsx'
import { Section } from '../../look/section.tsx'
import type { Fault, MapAnswer } from './answers.ts'
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
  const leftOut = left_out.map(({ what, count }) => say('import.many', { what, count }))
  return (
    <Section title={say('import.preview')}>
      <Counted counts={counts} terms={would_create}>
        {leftOut.length > 0 && <p class="small soft">{say('import.left-out', { what: leftOut.join(', ') })}</p>}
      </Counted>
      {features.slice(0, mostShown).map(({ name, result }, at) => (
        <Row key={at} title={<bdi>{name}</bdi>} second={say(`import.result.${result}`)} />
      ))}
      {features.length > mostShown && (
        <li class="words">{say('import.not-told', { count: features.length - mostShown })}</li>
      )}
    </Section>
  )
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
