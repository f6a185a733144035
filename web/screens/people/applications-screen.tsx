import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Row, Section } from '../../look/list.tsx'
import { useUp } from '../../look/page.tsx'
import { shortDay } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { administerWith } from '../owner/administer.ts'
import { AdminAnswer, OwnerPage, refusalText, useAdminAnswer } from '../owner/owner-page.tsx'
import type { Client, Clients } from './people-api.ts'

/** OAuth clients and their users. */
export function ApplicationsScreen(): JSX.Element {
  useUp({ to: '/people', label: say('people.title') })
  return (
    <OwnerPage title={say('people.applications')}>
      <AllApplications />
    </OwnerPage>
  )
}

function AllApplications(): JSX.Element {
  const clients = useAdminAnswer<Clients>('/administer/clients.json')
  const [message, setMessage] = useState('')
  const turn = async ({ id, label, disabled }: Client) => {
    const address = `/administer/clients/${encodeURIComponent(id)}`
    const answer = await administerWith(address, { disabled: !disabled })
    const done = say(disabled ? 'people.client-enabled' : 'people.client-disabled', { label })
    setMessage(answer.failure === null ? done : refusalText(answer))
    await clients.again()
  }
  return (
    <AdminAnswer request={clients}>
      {(body) => (
        <>
          <p class={message === '' ? 'out' : 'banner'} role="status">
            {message}
          </p>
          <Section title={say('people.clients')} count={body.clients.length}>
            {body.clients.map((client) => (
              <Row
                key={client.id}
                title={client.label}
                second={secondOf(client)}
                end={
                  <button
                    type="button"
                    class="btn plain"
                    aria-label={say(client.disabled ? 'people.enable-what' : 'people.disable-what', {
                      what: client.label,
                    })}
                    onClick={() => turn(client)}
                  >
                    {say(client.disabled ? 'people.enable' : 'people.disable')}
                  </button>
                }
              />
            ))}
            <li class="words small soft">{say('people.clients-hint')}</li>
          </Section>
        </>
      )}
    </AdminAnswer>
  )
}

function secondOf({ id, disabled, users, last_token }: Client): string {
  if (disabled) return `${id} · ${say('people.disabled')}`
  const used = last_token === null ? '' : say('people.last-token', { day: shortDay(Number(last_token)) })
  const usedBy = users.length === 0 ? '' : say('people.users', { count: users.length })
  return [id, usedBy, used].filter(Boolean).join(' · ')
}
