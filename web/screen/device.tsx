import type { JSX } from 'preact'
import { route } from '../look/router.ts'
import { inDemo } from '../store/demo.ts'
import { KeysSheet } from './keys-sheet.tsx'
import { LogOutScreen } from './log-out.tsx'
import { MoreScreen } from './more.tsx'
import { Notices } from './notices.tsx'
import { OutboxScreen } from './outbox/outbox-screen.tsx'

function Part(): JSX.Element {
  const { path } = route.value
  if (path === '/outbox') return <OutboxScreen />
  // The demo has no account to log out of.
  return path === '/log-out' && !inDemo() ? <LogOutScreen /> : <MoreScreen />
}

/** The pages of this device and of whoever uses it, and what is rarely said: nothing of it is large, and it comes together. */
export const deviceScreens = { KeysSheet, Notices, Part }
