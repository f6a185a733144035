import { keepPeople, type OpenCopy } from '../store/open-copy.ts'
import { answerTo } from './ask.ts'

interface UserList {
  readonly list: readonly { readonly id: string; readonly name: string }[]
}

/** The names of those who log: the feed does not tell of accounts, so they are asked for at each start. */
export async function loadPeople(copy: OpenCopy): Promise<void> {
  const { body } = await answerTo<UserList>('/user.json?limit=1000')
  await keepPeople(
    copy,
    body.list.map(({ id, name }) => [id, name] as const),
  )
}
