import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failed } from '../../look/failure.tsx'
import { Empty, Loading, Title, type UpLink, useUp } from '../../look/page.tsx'
import { ModalSheet } from '../../look/sheet.tsx'
import { me } from '../../store/local-copy.ts'
import type { Answer, Failure } from '../../sync/request.ts'
import { status } from '../../sync/status.ts'
import { say } from '../../words/say.ts'
import { administer, confirmation, confirmPassword, type PasswordResult } from './administer.ts'

interface OwnerPageProps {
  readonly title: string
  /** Back link; by default to More. */
  readonly up?: UpLink
  readonly children: ComponentChildren
}

/** Page for managers: needs signal, and the password if the server demands it. */
export function OwnerPage({ title, up, children }: OwnerPageProps): JSX.Element {
  useUp(up ?? { to: '/more', label: say('shell.more') })
  return (
    <>
      <div class="head">
        <Title text={title} />
      </div>
      {status.value.kind === 'offline' && (
        <p class="banner" role="status">
          {say('owner.needs-signal')}
        </p>
      )}
      <Admitted>{children}</Admitted>
      <ConfirmPassword />
    </>
  )
}

/** Password dialog; on every screen that may need it. */
export function ConfirmPassword(): JSX.Element | null {
  return confirmation.value && <PasswordSheet answer={confirmation.value.answer} />
}

function Admitted({ children }: Pick<OwnerPageProps, 'children'>): JSX.Element {
  const role = me.value?.account.role
  if (role === 'manager') return <>{children}</>
  if (role === undefined && status.value.kind === 'starting') return <Loading />
  return <Empty text={say('owner.managers-only')} />
}

const faultOf = {
  wrong: 'owner.wrong-password',
  'too-often': 'owner.too-often',
  offline: 'shell.failed.offline',
} as const

function PasswordSheet({ answer }: { readonly answer: (isShown: boolean) => void }): JSX.Element {
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<Exclude<PasswordResult, 'right'> | null>(null)
  const send = async (event: Event) => {
    event.preventDefault()
    const shown = await confirmPassword(password)
    if (shown === 'right') answer(true)
    else setFault(shown)
  }
  return (
    <ModalSheet title={say('owner.confirm')} onClose={() => answer(false)}>
      <form class="words ways" onSubmit={send}>
        <p class="small soft">{say('owner.confirm-why')}</p>
        <PasswordField label={say('owner.password')} value={password} onText={setPassword} />
        {fault !== null && <p role="alert">{say(faultOf[fault])}</p>}
        <button type="submit" class="btn main-do" disabled={password === ''}>
          {say('owner.go-on')}
        </button>
      </form>
    </ModalSheet>
  )
}

interface PasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
}

/** Field for an existing password. */
export function PasswordField({ label, value, onText }: PasswordFieldProps): JSX.Element {
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <input
          type="password"
          autocomplete="current-password"
          value={value}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </span>
    </label>
  )
}

interface AdminRequest<T> {
  readonly answer: Answer<T> | null
  readonly again: () => Promise<void>
}

/** Requests an administrative address. */
export function useAdminAnswer<T>(path: string): AdminRequest<T> {
  const [answer, setAnswer] = useState<Answer<T> | null>(null)
  const again = async () => setAnswer(await administer<T>(path))
  useEffect(() => {
    let isCurrent = true
    setAnswer(null)
    administer<T>(path).then((came) => {
      if (isCurrent) setAnswer(came)
    })
    return () => {
      isCurrent = false
    }
  }, [path])
  return { answer, again }
}

interface AnswerOfProps<T> {
  readonly request: AdminRequest<T>
  readonly children: (body: T) => JSX.Element
}

/** Shows the answer, or the failure. */
export function AdminAnswer<T>({ request: { answer, again }, children }: AnswerOfProps<T>): JSX.Element {
  if (answer === null) return <Loading />
  return answer.failure === null ? children(answer.body) : <Failed failure={answer} onRetry={again} />
}

/** Reason for a refused change, in the server's words if it gives any. */
export const refusalText = ({ failure, detail }: Failure): string => detail || say(`shell.failed.${failure}`)
