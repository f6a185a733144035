import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { owner } from '../../../src/words/en/owner.ts'
import { people } from '../../../src/words/en/people.ts'
import { Chip } from '../../look/chip.tsx'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { Row, Section } from '../../look/list.tsx'
import { useUp } from '../../look/page.tsx'
import { route } from '../../look/router.ts'
import { me } from '../../store/local-copy.ts'
import { dayAndClock, shortDay } from '../../words/format.ts'
import { addWords, say } from '../../words/say.ts'
import { administer, administerWith } from '../owner/administer.ts'
import { AdminAnswer, OwnerPage, refusalText, useAdminAnswer } from '../owner/owner-page.tsx'
import { ApplicationsScreen } from './applications-screen.tsx'
import { EventsScreen } from './events-screen.tsx'
import {
  type AssignableRole,
  type Invitations,
  type IssuedLink,
  type PendingInvitation,
  type People,
  type Person,
  roleNames,
} from './people-api.ts'
import { LinkCard, PersonScreen } from './person-screen.tsx'

addWords(owner, people)

/** Screens about accounts and access. */
export function Part(): JSX.Element {
  const [, place, who] = route.value.path.split('/')
  if (place === 'events') return <EventsScreen />
  if (place === 'applications') return <ApplicationsScreen />
  if (who === 'invite') return <InviteScreen />
  return who === undefined ? <PeopleScreen /> : <PersonScreen id={who} />
}

/** Accounts and open invitations. */
export function PeopleScreen(): JSX.Element {
  return (
    <OwnerPage title={say('people.title')}>
      <Everybody />
    </OwnerPage>
  )
}

function Everybody(): JSX.Element {
  const people = useAdminAnswer<People>('/administer/people.json')
  return (
    <AdminAnswer request={people}>
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
    </AdminAnswer>
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
  const open = useAdminAnswer<Invitations>('/administer/invitations.json')
  const [message, setMessage] = useState('')
  const revoke = async ({ id }: PendingInvitation) => {
    const answer = await administer(`/administer/invitations/${id}`, { method: 'DELETE' })
    setMessage(answer.failure === null ? say('people.revoked') : refusalText(answer))
    await open.again()
  }
  return (
    <AdminAnswer request={open}>
      {({ invitations }) => (
        <>
          <p class={message === '' ? 'out' : 'banner'} role="status">
            {message}
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
    </AdminAnswer>
  )
}

function whatOf({ kind, name, role }: PendingInvitation): string {
  if (kind === 'password') return say('people.for-password', { name })
  const named = say(`people.role.${role ?? 'none'}`)
  return name === '' ? say('people.for-role', { role: named }) : say('people.for-name', { name, role: named })
}

function madeBy({ by, expires }: PendingInvitation): string {
  const until = dayAndClock(Number(expires))
  return by === null ? say('people.made-by-command', { until }) : say('people.made-by', { name: by.name, until })
}

/** Creates an invitation link for a role. */
export function InviteScreen(): JSX.Element {
  useUp({ to: '/people', label: say('people.title') })
  const [issuedLink, setIssuedLink] = useState<IssuedLink | null>(null)
  return (
    <OwnerPage title={say('people.invite')}>
      {issuedLink === null ? (
        <Invite onMade={setIssuedLink} />
      ) : (
        <div class="words ways">
          <LinkCard issuedLink={issuedLink} />
          <button type="button" class="btn" onClick={() => setIssuedLink(null)}>
            {say('people.another')}
          </button>
        </div>
      )}
    </OwnerPage>
  )
}

function Invite({ onMade }: { readonly onMade: (issuedLink: IssuedLink) => void }): JSX.Element {
  const [role, setRole] = useState<AssignableRole>('worker')
  const [name, setName] = useState('')
  const [fault, setFault] = useState('')
  const make = async (event: Event) => {
    event.preventDefault()
    const answer = await administerWith<IssuedLink>('/administer/invitations.json', { role, name })
    if (answer.failure === null) onMade(answer.body)
    else setFault(refusalText(answer))
  }
  return (
    <form class="words ways" onSubmit={make}>
      <fieldset>
        <legend class="soft small">{say('people.may-do')}</legend>
        <div class="chips flat">
          {roleNames.map((one) => (
            <Chip key={one} pressed={one === role} onPress={() => setRole(one)}>
              {say(`people.role.${one}`)}
            </Chip>
          ))}
        </div>
        <p class="small">{say(`people.about.${role}`)}</p>
      </fieldset>
      <label class="labelled">
        <span class="soft small">{say('people.for-whom')}</span>
        <span class="field">
          <input value={name} maxLength={60} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </span>
      </label>
      {fault !== '' && <p role="alert">{fault}</p>}
      <button type="submit" class="btn main-do">
        {say('people.make-link')}
      </button>
    </form>
  )
}
