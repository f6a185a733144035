import { LogOutScreen } from './log-out.tsx'
import { MoreScreen } from './more.tsx'
import { OutboxScreen } from './outbox/outbox-screen.tsx'

/** The pages of this device and of whoever uses it: none is large, and they come together. */
export const deviceScreens = { LogOutScreen, MoreScreen, OutboxScreen }
