import type { JSX } from 'preact'
import { Chip } from '../../look/chip.tsx'
import { Row, Section } from '../../look/list.tsx'
import { Empty, useUp } from '../../look/page.tsx'
import { replace, route, withQuery } from '../../look/router.ts'
import { clock, dayOfWeek, isoDay } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { AdminAnswer, OwnerPage, useAdminAnswer } from '../owner/owner-page.tsx'
import type { FarmEvent, FarmEvents } from './people-api.ts'

/** Logins, refusals and account changes, the latest first. */
export function EventsScreen(): JSX.Element {
  useUp({ to: '/people', label: say('people.title') })
  const filterName = route.value.query.get('show')
  const chosen = filters.find((filter) => filter === filterName) ?? 'all'
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

function Events({ filter }: { readonly filter: EventFilter }): JSX.Element {
  const query = ['limit=200', ...kindsOf(filter).map((kind) => `kind=${kind}`)].join('&')
  const events = useAdminAnswer<FarmEvents>(`/administer/events.json?${query}`)
  return (
    <AdminAnswer request={events}>
      {(body) => (body.events.length === 0 ? <Empty text={say('people.nothing')} /> : <ByDay events={body.events} />)}
    </AdminAnswer>
  )
}

function ByDay({ events }: { readonly events: readonly FarmEvent[] }): JSX.Element {
  const days = [...new Set(events.map(({ at }) => isoDay(Number(at))))]
  return (
    <>
      {days.map((day) => {
        const eventsOfDay = events.filter(({ at }) => isoDay(Number(at)) === day)
        return (
          <Section key={day} title={dayOfWeek(Number(eventsOfDay[0]?.at))}>
            {eventsOfDay.map((event, at) => (
              // Events of one second differ only by position, which is stable.
              <Row key={`${event.at} ${at}`} margin={clock(Number(event.at))} {...eventWords(event)} />
            ))}
          </Section>
        )
      })}
    </>
  )
}

export const filters = ['all', 'logins', 'refused', 'people', 'applications', 'farm'] as const
type EventFilter = (typeof filters)[number]

const kinds = {
  'logged-in': 'logins',
  'logged-out': 'logins',
  'password-confirmed': 'logins',
  'login-failed': 'refused',
  'login-refused': 'refused',
  'link-failed': 'refused',
  'code-used-twice': 'refused',
  'refresh-token-reused': 'refused',
  'account-added': 'people',
  'account-changed': 'people',
  'account-blocked': 'people',
  'account-unblocked': 'people',
  'account-removed': 'people',
  'role-changed': 'people',
  'password-changed': 'people',
  'sessions-ended': 'people',
  'invitation-made': 'people',
  'invitation-used': 'people',
  'invitation-revoked': 'people',
  'password-link-made': 'people',
  'password-link-used': 'people',
  'password-link-revoked': 'people',
  'client-added': 'applications',
  'client-changed': 'applications',
  'client-removed': 'applications',
  'client-secret-rotated': 'applications',
  'consent-given': 'applications',
  'tokens-revoked': 'applications',
  'personal-token-made': 'people',
  'personal-token-ended': 'people',
  'settings-changed': 'farm',
  'backup-downloaded': 'farm',
  'report-link-made': 'farm',
  'report-link-ended': 'farm',
} as const satisfies Readonly<Record<string, Exclude<EventFilter, 'all'>>>

type Kind = keyof typeof kinds

const isKnown = (kind: string): kind is Kind => kind in kinds

/** Event kinds of a filter; empty for all. */
export const kindsOf = (filter: EventFilter): readonly string[] =>
  Object.entries(kinds).flatMap(([kind, shown]) => (shown === filter ? kind : []))

interface EventWords {
  readonly title: string
  readonly second: string
}

/** Sentence about an event, with account and address. An unknown kind is shown by name. */
export function eventWords({ kind, user, by, client, address }: FarmEvent): EventWords {
  const who = user?.name ?? say('events.nobody')
  const named = { who, client: client ?? say('events.some-client') }
  const isAboutClient = isKnown(kind) && kinds[kind] === 'applications'
  const second = [
    by === null ? '' : say('events.by', { name: by.name ?? say('events.nobody') }),
    client === null || isAboutClient ? '' : say('events.through', { client }),
    address === null ? '' : say('events.from', { address }),
  ]
  // Each sentence names both values, one, or none.
  const key = `events.${kind}` as 'events.consent-given'
  return { title: isKnown(kind) ? say(key, named) : kind, second: second.filter(Boolean).join(', ') }
}
