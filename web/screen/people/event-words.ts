import type { FarmEvent } from './answers.ts'
import { say } from './say.ts'

export const filters = ['all', 'logins', 'refused', 'people', 'applications', 'farm'] as const
export type Filter = (typeof filters)[number]

const kinds = {
  'logged-in': 'logins',
  'logged-out': 'logins',
  'password-confirmed': 'logins',
  'login-failed': 'refused',
  'login-refused': 'refused',
  'link-failed': 'refused',
  'code-used-twice': 'refused',
  'refresh-token-reused': 'refused',
  'account-added': 'people',
  'account-changed': 'people',
  'account-blocked': 'people',
  'account-unblocked': 'people',
  'account-removed': 'people',
  'role-changed': 'people',
  'password-changed': 'people',
  'sessions-ended': 'people',
  'invitation-made': 'people',
  'invitation-used': 'people',
  'invitation-revoked': 'people',
  'password-link-made': 'people',
  'password-link-used': 'people',
  'password-link-revoked': 'people',
  'client-added': 'applications',
  'client-changed': 'applications',
  'client-removed': 'applications',
  'client-secret-rotated': 'applications',
  'consent-given': 'applications',
  'tokens-revoked': 'applications',
  'settings-changed': 'farm',
  'backup-downloaded': 'farm',
  'report-link-made': 'farm',
  'report-link-ended': 'farm',
} as const satisfies Readonly<Record<string, Exclude<Filter, 'all'>>>

type Kind = keyof typeof kinds

const isKnown = (kind: string): kind is Kind => kind in kinds

/** The kinds that a filter asks for; none asks for all. */
export const kindsOf = (filter: Filter): readonly string[] =>
  Object.entries(kinds).flatMap(([kind, shown]) => (shown === filter ? kind : []))

interface EventWords {
  readonly title: string
  readonly second: string
}

/** What happened, in a sentence, and by whom and from where. A kind of a later release is told by its name. */
export function eventWords({ kind, user, by, client, address }: FarmEvent): EventWords {
  const who = user?.name ?? say('events.nobody')
  const named = { who, client: client ?? say('events.some-client') }
  const isAboutClient = isKnown(kind) && kinds[kind] === 'applications'
  const second = [
    by === null ? '' : say('events.by', { name: by.name ?? say('events.nobody') }),
    client === null || isAboutClient ? '' : say('events.through', { client }),
    address === null ? '' : say('events.from', { address }),
  ]
  // Each of the sentences names both of these, one of them, or none.
  const key = `events.${kind}` as 'events.consent-given'
  return { title: isKnown(kind) ? say(key, named) : kind, second: second.filter(Boolean).join(', ') }
}
