import type { JSX } from 'preact'
import { Chip } from '../../look/chip.tsx'
import { Empty } from '../../look/empty.tsx'
import { replace, route, withQuery } from '../../look/router.ts'
import { Row } from '../../look/row.tsx'
import { Section } from '../../look/section.tsx'
import { useUp } from '../../look/up.ts'
import { clock, dayOfWeek, isoDay } from '../../words/format.ts'
import { AnswerOf, useAsked } from '../owner/asked.tsx'
import { OwnerPage } from '../owner/owner-page.tsx'
import type { FarmEvent, FarmEvents } from './answers.ts'
import { eventWords, type Filter, filters, kindsOf } from './event-words.ts'
import { say } from './say.ts'

/** Who came, what was refused and who changed what, the latest first. */
export function EventsScreen(): JSX.Element {
  useUp({ to: '/people', label: say('people.title') })
  const asked = route.value.query.get('show')
  const chosen = filters.find((filter) => filter === asked) ?? 'all'
  return (
    <OwnerPage title={say('events.title')}>
      <fieldset class="words" aria-label={say('events.shown')}>
        <div class="chips flat">
          {filters.map((filter) => (
            <Chip
              key={filter}
              pressed={filter === chosen}
              onPress={() => replace(withQuery({ show: filter === 'all' ? null : filter }))}
            >
              {say(`events.${filter}`)}
            </Chip>
          ))}
        </div>
      </fieldset>
      <Events filter={chosen} />
    </OwnerPage>
  )
}

function Events({ filter }: { readonly filter: Filter }): JSX.Element {
  const query = ['limit=200', ...kindsOf(filter).map((kind) => `kind=${kind}`)].join('&')
  const events = useAsked<FarmEvents>(`/administer/events.json?${query}`)
  return (
    <AnswerOf asked={events}>
      {(body) => (body.events.length === 0 ? <Empty text={say('people.nothing')} /> : <ByDay events={body.events} />)}
    </AnswerOf>
  )
}

function ByDay({ events }: { readonly events: readonly FarmEvent[] }): JSX.Element {
  const days = [...new Set(events.map(({ at }) => isoDay(Number(at))))]
  return (
    <>
      {days.map((day) => {
        const those = events.filter(({ at }) => isoDay(Number(at)) === day)
        return (
          <Section key={day} title={dayOfWeek(Number(those[0]?.at))}>
            {those.map((event, at) => (
              // Nothing tells two events of one second apart but their order, which stays.
              <Row key={`${event.at} ${at}`} margin={clock(Number(event.at))} {...eventWords(event)} />
            ))}
          </Section>
        )
      })}
    </>
  )
}
