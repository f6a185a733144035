import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { Row } from '../../look/row.tsx'
import { Section } from '../../look/section.tsx'
import { me } from '../../store/local-copy.ts'
import { dayAndClock, shortDay } from '../../words/format.ts'
import { administer } from '../owner/administer.ts'
import { AnswerOf, useAsked, whyNot } from '../owner/asked.tsx'
import { OwnerPage } from '../owner/owner-page.tsx'
import type { Invitation, Invitations, People, Person } from './answers.ts'
import { say } from './say.ts'

/** Who may enter, and who was asked to. */
export function PeopleScreen(): JSX.Element {
  return (
    <OwnerPage title={say('people.title')}>
      <Everybody />
    </OwnerPage>
  )
}

function Everybody(): JSX.Element {
  const people = useAsked<People>('/administer/people.json')
  return (
    <AnswerOf asked={people}>
      {(body) => (
        <>
          <Section title={say('people.everybody')}>
            {body.people.filter(({ state }) => state !== 'of-client').map(rowOf)}
            <li class="words">
              <Link to="/people/invite" class="btn main-do spaced">
                <Icon name="plus" />
                {say('people.invite')}
              </Link>
            </li>
          </Section>
          <OpenInvitations />
          <Section title={say('people.look-back')}>
            <Row
              to="/applications"
              title={say('people.applications')}
              second={say('people.applications-hint')}
              end={<Icon name="next" size="small" />}
            />
            <Row
              to="/events"
              title={say('people.events')}
              second={say('people.events-hint')}
              end={<Icon name="next" size="small" />}
            />
          </Section>
        </>
      )}
    </AnswerOf>
  )
}

const rowOf = (person: Person): JSX.Element => (
  <Row
    key={person.id}
    to={`/people/${person.id}`}
    title={person.id === me.value?.account.id ? `${person.name} (${say('people.you')})` : person.name}
    second={secondOf(person)}
    end={<Icon name="next" size="small" />}
  />
)

function secondOf({ role, state, sessions, last_seen }: Person): string {
  const seen = last_seen === null ? '' : say('people.last-seen', { day: shortDay(Number(last_seen)) })
  const devices = sessions === 0 ? '' : say('people.devices', { count: sessions })
  const blocked = state === 'blocked' ? say('people.blocked') : ''
  return [blocked, say(`people.role.${role ?? 'none'}`), devices, seen].filter(Boolean).join(' · ')
}

function OpenInvitations(): JSX.Element | null {
  const open = useAsked<Invitations>('/administer/invitations.json')
  const [said, setSaid] = useState('')
  const revoke = async ({ id }: Invitation) => {
    const answer = await administer(`/administer/invitations/${id}`, { method: 'DELETE' })
    setSaid(answer.failure === null ? say('people.revoked') : whyNot(answer))
    await open.again()
  }
  return (
    <AnswerOf asked={open}>
      {({ invitations }) => (
        <>
          <p class={said === '' ? 'out' : 'banner'} role="status">
            {said}
          </p>
          {invitations.length > 0 && (
            <Section title={say('people.open')} count={invitations.length}>
              {invitations.map((invitation) => (
                <Row
                  key={invitation.id}
                  title={whatOf(invitation)}
                  second={madeBy(invitation)}
                  end={
                    <button
                      type="button"
                      class="btn plain"
                      aria-label={say('people.revoke-what', { what: whatOf(invitation) })}
                      onClick={() => revoke(invitation)}
                    >
                      {say('people.revoke')}
                    </button>
                  }
                />
              ))}
            </Section>
          )}
        </>
      )}
    </AnswerOf>
  )
}

function whatOf({ kind, name, role }: Invitation): string {
  if (kind === 'password') return say('people.for-password', { name })
  const named = say(`people.role.${role ?? 'none'}`)
  return name === '' ? say('people.for-role', { role: named }) : say('people.for-name', { name, role: named })
}

function madeBy({ by, expires }: Invitation): string {
  const until = dayAndClock(Number(expires))
  return by === null ? say('people.made-by-command', { until }) : say('people.made-by', { name: by.name, until })
}
