import { memory } from '../../store/memory.ts'
import { showPassword } from '../owner/administer.ts'

export type BackupFailure = 'wrong' | 'running' | 'failed'

export type BackupOutcome = { readonly file: Blob; readonly name: string } | { readonly failure: BackupFailure }

/** Shows the password, has a backup made, and tells how much of it has come. */
export async function fetchBackup(
  password: string,
  progress: (done: number, whole: number) => void,
): Promise<BackupOutcome> {
  const shown = await showPassword(password)
  if (shown !== 'right') return { failure: shown === 'wrong' ? 'wrong' : 'failed' }
  try {
    const answer = await fetch('/administer/backup', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': memory.me.peek()?.csrf_token ?? '' },
      body: JSON.stringify({ password }),
    })
    if (!answer.ok) return { failure: answer.status === 409 ? 'running' : 'failed' }
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'farm.tar.gz'
    const whole = Number(answer.headers.get('content-length'))
    const file = await counted(answer, (done) => progress(done, whole)).blob()
    return file.size === whole ? { file, name } : { failure: 'failed' }
  } catch {
    return { failure: 'failed' }
  }
}

/** The browser keeps what has come, not this page: a backup may be larger than its memory. */
function counted({ body }: Response, tell: (done: number) => void): Response {
  let done = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      done += chunk.length
      tell(done)
      controller.enqueue(chunk)
    },
  })
  return new Response(body?.pipeThrough(count))
}
