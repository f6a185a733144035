import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { useUp } from '../../look/up.ts'
import { administerWith } from '../owner/administer.ts'
import { whyNot } from '../owner/asked.tsx'
import { OwnerPage } from '../owner/owner-page.tsx'
import { type MadeLink, type RoleName, roleNames } from './answers.ts'
import { LinkCard } from './link-card.tsx'
import { say } from './say.ts'

/** A role, and a link comes out. */
export function InviteScreen(): JSX.Element {
  useUp({ to: '/people', label: say('people.title') })
  const [made, setMade] = useState<MadeLink | null>(null)
  return (
    <OwnerPage title={say('people.invite')}>
      {made === null ? (
        <Invite onMade={setMade} />
      ) : (
        <div class="words ways">
          <LinkCard made={made} />
          <button type="button" class="btn" onClick={() => setMade(null)}>
            {say('people.another')}
          </button>
        </div>
      )}
    </OwnerPage>
  )
}

function Invite({ onMade }: { readonly onMade: (made: MadeLink) => void }): JSX.Element {
  const [role, setRole] = useState<RoleName>('worker')
  const [name, setName] = useState('')
  const [fault, setFault] = useState('')
  const make = async (event: Event) => {
    event.preventDefault()
    const answer = await administerWith<MadeLink>('/administer/invitations.json', { role, name })
    if (answer.failure === null) onMade(answer.body)
    else setFault(whyNot(answer))
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
