import type { AccountView } from '../../../access/accounts.ts'
import type { Caller } from '../../../access/caller.ts'
import { whole, yesNo } from '../../../fields/number.ts'
import { text } from '../../../fields/text.ts'
import { timestamp } from '../../../fields/time.ts'
import { roleId } from '../config/config-types.ts'
import { spellTime } from '../values/time.ts'
import type { Drawn, Targets } from '../wire/thing.ts'

/** What everybody may know of a user, and ask for. */
export const userAttributes = {
  drupal_internal__uid: whole('User ID'),
  display_name: text('Display name'),
  langcode: text('Language'),
  name: text('Name'),
  created: timestamp('Created'),
  changed: timestamp('Changed'),
}

/** What only oneself, or who looks after the farm, is told. */
export const ownUserAttributes = {
  mail: text('Email'),
  timezone: text('Time zone'),
  preferred_langcode: text('Preferred language'),
  preferred_admin_langcode: text('Preferred language of administration'),
  status: yesNo('Active'),
}

/** Who may know no more of anybody than everybody. */
export const stranger: Viewer = { uid: 0, rights: new Set() }

type Viewer = Pick<Caller, 'uid' | 'rights'>

/** A user as the caller may see them: all of oneself, and what managers look after. */
export function drawUser(caller: Viewer, account: AccountView): Drawn {
  const { uid, uuid, name, language, created, blocked } = account
  const isOneself = uid === caller.uid
  const looksAfter = caller.rights.has('configure')
  return {
    thing: { of: 'user', id: uid },
    type: 'user--user',
    id: uuid,
    attributes: {
      drupal_internal__uid: uid,
      display_name: name,
      langcode: language,
      name,
      created: spellTime(created),
      changed: spellTime(created),
      ...(isOneself ? ownAttributes(account) : {}),
      ...(looksAfter ? { status: !blocked } : {}),
    },
    relationships: isOneself || looksAfter ? { roles: rolesOf(account) } : {},
  }
}

const ownAttributes = ({ mail, timezone, language }: AccountView) => ({
  mail: mail === '' ? null : mail,
  timezone,
  preferred_langcode: language,
  preferred_admin_langcode: null,
})

const rolesOf = ({ role }: AccountView): Targets =>
  role === null ? [] : [{ of: 'config', type: 'user_role--user_role', id: roleId(role) }]
