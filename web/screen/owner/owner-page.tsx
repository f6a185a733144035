import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Empty } from '../../look/empty.tsx'
import { Loading } from '../../look/loading.tsx'
import { ModalSheet } from '../../look/sheet.tsx'
import { Title } from '../../look/title.tsx'
import { type Up, useUp } from '../../look/up.ts'
import { me } from '../../store/local-copy.ts'
import { status } from '../../sync/status.ts'
import { confirmation, type Shown, showPassword } from './administer.ts'
import { PasswordField } from './password-field.tsx'
import { say } from './say.ts'

interface OwnerPageProps {
  readonly title: string
  /** Where back leads; to More, unless it says so. */
  readonly up?: Up
  readonly children: ComponentChildren
}

/** A screen for whoever runs the farm: for managers, with signal, and with the password where it is asked for. */
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

/** Stands on every screen that may be refused for want of a password, and shows itself then. */
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
  const [fault, setFault] = useState<Exclude<Shown, 'right'> | null>(null)
  const send = async (event: Event) => {
    event.preventDefault()
    const shown = await showPassword(password)
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
