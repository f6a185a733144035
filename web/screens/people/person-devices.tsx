import type { JSX } from 'preact'
import { Row, Section } from '../../look/list.tsx'
import { shortDay } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { administer } from '../owner/administer.ts'
import { AdminAnswer, refusalText, useAdminAnswer } from '../owner/owner-page.tsx'
import type { Application, Applications, Person, Session, Sessions } from './people-api.ts'

interface DevicesProps {
  readonly person: Person
  readonly onMessage: (words: string) => void
}

/** Sessions and tokens of an account; tokens are requested after sessions. */
export function Devices({ person, onMessage }: DevicesProps): JSX.Element {
  const sessions = useAdminAnswer<Sessions>(`/administer/people/${person.id}/sessions.json`)
  const end = async (key: string) => {
    const answer = await administer(`/administer/people/${person.id}/sessions${key}`, { method: 'DELETE' })
    onMessage(answer.failure === null ? say('people.ended') : refusalText(answer))
    await sessions.again()
  }
  return (
    <AdminAnswer request={sessions}>
      {(body) => (
        <>
          <Section title={say('people.sessions')} count={body.sessions.length}>
            {body.sessions.length === 0 && <li class="words small soft">{say('people.no-sessions')}</li>}
            {body.sessions.map((session) => (
              <SessionRow key={session.key} session={session} onEnd={() => end(`/${session.key}`)} />
            ))}
            <li class="words">
              <button type="button" class="btn spaced" onClick={() => end('')}>
                {say('people.end-all')}
              </button>
            </li>
          </Section>
          <ApplicationsOf person={person} onMessage={onMessage} />
        </>
      )}
    </AdminAnswer>
  )
}

function SessionRow({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }): JSX.Element {
  const since = shortDay(Number(session.created))
  const used = shortDay(Number(session.last_used))
  return (
    <Row
      title={session.this_one ? `${session.device} (${say('people.this-device')})` : session.device}
      second={say('people.session', { since, used, address: session.address })}
      end={
        <button
          type="button"
          class="btn plain"
          aria-label={say('people.end-what', { what: session.device })}
          onClick={onEnd}
        >
          {say('people.end')}
        </button>
      }
    />
  )
}

function ApplicationsOf({ person: { id, name }, onMessage }: DevicesProps): JSX.Element {
  const applications = useAdminAnswer<Applications>(`/administer/people/${id}/applications.json`)
  const revoke = async ({ client, label }: Application) => {
    const address = `/administer/clients/${encodeURIComponent(client)}/tokens?user=${id}`
    const answer = await administer(address, { method: 'DELETE' })
    onMessage(answer.failure === null ? say('people.tokens-ended', { label, name }) : refusalText(answer))
    await applications.again()
  }
  return (
    <AdminAnswer request={applications}>
      {(body) => (
        <Section title={say('people.applications')} count={body.applications.length}>
          {body.applications.length === 0 && (
            <li class="words small soft">{say('people.no-applications', { name })}</li>
          )}
          {body.applications.map((application) => (
            <Row
              key={application.client}
              title={application.label}
              second={say('people.application', { since: shortDay(Number(application.since)) })}
              end={
                <button
                  type="button"
                  class="btn plain"
                  aria-label={say('people.revoke-what', { what: application.label })}
                  onClick={() => revoke(application)}
                >
                  {say('people.revoke')}
                </button>
              }
            />
          ))}
        </Section>
      )}
    </AdminAnswer>
  )
}
