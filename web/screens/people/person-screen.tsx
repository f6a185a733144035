import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { Icon } from '../../look/icon.tsx'
import { Section } from '../../look/list.tsx'
import { Empty, useUp } from '../../look/page.tsx'
import { go } from '../../look/router.ts'
import type { Answer, Failure } from '../../sync/request.ts'
import { dayAndClock } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { administer, administerWith } from '../owner/administer.ts'
import { AdminAnswer, OwnerPage, refusalText, useAdminAnswer } from '../owner/owner-page.tsx'
import { ShareLink } from '../owner/share-link.tsx'
import { type AssignableRole, type IssuedLink, type People, type Person, roleNames } from './people-api.ts'
import { Devices } from './person-devices.tsx'

/** Role, state and devices of one account. */
export function PersonScreen({ id }: { readonly id: string }): JSX.Element {
  useUp({ to: '/people', label: say('people.title') })
  const people = useAdminAnswer<People>('/administer/people.json')
  const person = people.answer?.failure === null ? people.answer.body.people.find((one) => one.id === id) : undefined
  return (
    <OwnerPage title={person?.name ?? say('people.title')}>
      <AdminAnswer request={people}>
        {() =>
          person === undefined ? (
            <Empty text={say('people.unknown')} />
          ) : (
            <OnePerson key={id} person={person} onChanged={people.again} />
          )
        }
      </AdminAnswer>
    </OwnerPage>
  )
}

interface ChangeNotice {
  readonly words: string
  /** Change that undoes this one. */
  readonly undo?: Change
}

type Change = { readonly role: AssignableRole | null } | { readonly blocked: boolean }

interface OnePersonProps {
  readonly person: Person
  readonly onChanged: () => Promise<void>
}

function OnePerson({ person, onChanged }: OnePersonProps): JSX.Element {
  const [notice, setNotice] = useState<ChangeNotice | null>(null)
  const address = `/administer/people/${person.id}`
  const tell = async (answer: Answer<unknown>, done: ChangeNotice) => {
    setNotice(answer.failure === null ? done : { words: refused(answer) })
    if (answer.failure === null) await onChanged()
  }
  const change = async (wanted: Change, undo?: Change) => {
    const done = { words: wordsOf(person, wanted), ...(undo === undefined ? {} : { undo }) }
    await tell(await administerWith(address, wanted), done)
  }
  const remove = async () => {
    const answer = await administer<{ readonly outcome: 'removed' | 'kept' }>(address, { method: 'DELETE' })
    if (answer.failure === null && answer.body.outcome === 'removed') go('/people')
    else await tell(answer, { words: say('people.kept', { name: person.name }) })
  }
  return (
    <>
      <div class={notice === null ? 'out' : 'banner'} role="status">
        {notice?.words}
        <UndoOf notice={notice} onUndo={change} />
      </div>
      <Role person={person} onChange={change} />
      <WayIn person={person} onChange={change} />
      {/* Blocking ends sessions: the list is read again. */}
      <Devices key={person.state} person={person} onMessage={(words) => setNotice({ words })} />
      <Section title={say('people.remove')}>
        <li class="words ways">
          <p class="small soft">{say('people.remove-hint')}</p>
          <button type="button" class="btn" onClick={remove}>
            {say('people.remove')}
          </button>
        </li>
      </Section>
    </>
  )
}

/** The only possible conflict here is the last manager. */
const refused = (failure: Failure): string =>
  failure.status === 409 ? say('people.last-manager') : refusalText(failure)

function wordsOf({ name }: Person, change: Change): string {
  if ('role' in change) return say('people.has-role', { name, role: say(`people.role.${change.role ?? 'none'}`) })
  return say(change.blocked ? 'people.is-blocked' : 'people.is-unblocked', { name })
}

interface UndoOfProps {
  readonly notice: ChangeNotice | null
  readonly onUndo: (change: Change) => void
}

/** Undo instead of a confirmation. */
function UndoOf({ notice, onUndo }: UndoOfProps): JSX.Element | null {
  const undo = notice?.undo
  if (undo === undefined) return null
  return (
    <button type="button" class="btn plain far" onClick={() => onUndo(undo)}>
      <Icon name="undo" />
      {say('act.undo')}
    </button>
  )
}

interface ChangingProps {
  readonly person: Person
  readonly onChange: (wanted: Change, undo: Change) => void
}

function Role({ person: { role }, onChange }: ChangingProps): JSX.Element {
  return (
    <Section title={say('people.role')}>
      <li class="words">
        <div class="chips flat">
          {[...roleNames, null].map((one) => (
            <Chip key={one} pressed={one === role} onPress={() => one !== role && onChange({ role: one }, { role })}>
              {say(`people.role.${one ?? 'none'}`)}
            </Chip>
          ))}
        </div>
        <p class="small soft">{say(`people.about.${role ?? 'none'}`)}</p>
      </li>
    </Section>
  )
}

function WayIn({ person: { id, name, state }, onChange }: ChangingProps): JSX.Element {
  const [issuedLink, setIssuedLink] = useState<IssuedLink | null>(null)
  const [fault, setFault] = useState('')
  const isBlocked = state === 'blocked'
  const makeLink = async () => {
    const answer = await administer<IssuedLink>(`/administer/people/${id}/password-link`, { method: 'POST' })
    setFault(answer.failure === null ? '' : refusalText(answer))
    setIssuedLink(answer.failure === null ? answer.body : null)
  }
  return (
    <Section title={say('people.entry')}>
      <li class="words ways">
        <div class="options">
          <button type="button" class="btn" onClick={() => onChange({ blocked: !isBlocked }, { blocked: isBlocked })}>
            {say(isBlocked ? 'people.unblock' : 'people.block')}
          </button>
          {!isBlocked && (
            <button type="button" class="btn" onClick={makeLink}>
              {say('people.new-password')}
            </button>
          )}
        </div>
        {fault !== '' && <p role="alert">{fault}</p>}
        {issuedLink === null ? (
          <p class="small soft">{say('people.new-password-hint')}</p>
        ) : (
          <LinkCard issuedLink={issuedLink} name={name} />
        )}
      </li>
    </Section>
  )
}

interface LinkCardProps {
  readonly issuedLink: IssuedLink
  /** Name of the account for a password link; absent for an invitation. */
  readonly name?: string
}

/** A link to hand over, and its purpose. */
export function LinkCard({ issuedLink: { link, expires }, name }: LinkCardProps): JSX.Element {
  const until = dayAndClock(Number(expires))
  return (
    <div class="card link-card">
      <p role="status">
        {name === undefined ? say('people.link-account', { until }) : say('people.link-password', { name, until })}{' '}
        {say('people.link-once')}
      </p>
      <ShareLink link={link} label={say('people.link')} />
    </div>
  )
}
