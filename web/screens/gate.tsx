import type { ComponentChildren, JSX } from 'preact'
import { Link } from '../look/link.tsx'
import { Empty, Loading, Title } from '../look/page.tsx'
import { address, base } from '../look/router.ts'
import { type Status, status, usable } from '../sync/status.ts'
import { language } from '../words/language.ts'
import { say } from '../words/say.ts'
import { here } from './panes.tsx'

/** Shows the screens once the user may see them and there is data. */
export function Gate({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const closed = closedBy(status.value)
  if (closed === null) return <>{children}</>
  return (
    <main id="main" class="main" tabIndex={-1}>
      <div class="pane">{closed}</div>
    </main>
  )
}

/** Pages about this device are always open. */
function isAboutThisDevice(): boolean {
  return here.value?.screen.kind === 'page'
}

function closedBy(state: Status): JSX.Element | null {
  if (isAboutThisDevice()) return null
  if (state.kind === 'needs-login') return <LogIn text={say('shell.log-in')} />
  if (state.kind === 'locked') return <LogIn text={say(`shell.locked.${state.why}`)} />
  if (state.kind === 'no-role') return <NoRole />
  if (usable.value) return null
  if (state.kind === 'offline') return <NothingYet />
  return <Loading />
}

function LogIn({ text }: { readonly text: string }): JSX.Element {
  const languageParameter = language.value === 'en' ? '' : `&language=${language.value}`
  return (
    <Closed text={text}>
      <a
        class="btn main-do"
        href={`/user/login?destination=${encodeURIComponent(base + address.value)}${languageParameter}`}
      >
        {say('shell.log-in-button')}
      </a>
    </Closed>
  )
}

function NoRole(): JSX.Element {
  return (
    <Closed text={say('shell.no-role')}>
      <Link to="/more" class="btn tall">
        {say('shell.to-account')}
      </Link>
    </Closed>
  )
}

function NothingYet(): JSX.Element {
  return (
    <Closed text={say('shell.no-copy')}>
      <button type="button" class="btn tall" onClick={() => location.reload()}>
        {say('shell.try-again')}
      </button>
    </Closed>
  )
}

interface ClosedProps {
  readonly text: string
  readonly children: ComponentChildren
}

function Closed({ text, children }: ClosedProps): JSX.Element {
  return (
    <>
      <Title text={text} class="out" />
      <Empty text={text}>{children}</Empty>
    </>
  )
}
