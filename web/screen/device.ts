import { KeysSheet } from './keys-sheet.tsx'
import { LogOutScreen } from './log-out.tsx'
import { MoreScreen } from './more.tsx'
import { Notices } from './notices.tsx'
import { OutboxScreen } from './outbox/outbox-screen.tsx'

/** The pages of this device and of whoever uses it, and what is rarely said: nothing of it is large, and it comes together. */
export const deviceScreens = { KeysSheet, LogOutScreen, MoreScreen, Notices, OutboxScreen }
