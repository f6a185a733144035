import { memory } from '../store/memory.ts'
import { ask } from './ask.ts'
import { tell } from './tell.ts'

interface Users {
  readonly data: readonly { readonly id: string }[]
}

const mediaType = { accept: 'application/vnd.api+json', 'content-type': 'application/vnd.api+json' }

/** Lets the account remember the language, where there is signal: another device begins with it. */
export async function tellAccountLanguage(language: string): Promise<void> {
  const me = memory.me.peek()
  if (me === null) return
  const found = await ask<Users>(`/api/user/user?filter[drupal_internal__uid]=${me.account.id}`, { headers: mediaType })
  const [user] = found.failure === null ? found.body.data : []
  if (user === undefined) return
  const data = { type: 'user--user', id: user.id, attributes: { preferred_langcode: language } }
  await tell(`/api/user/user/${user.id}`, { method: 'PATCH', headers: mediaType, body: JSON.stringify({ data }) })
}
