import { readFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { root } from '../house/tree.ts'
import type { Device } from './app.ts'

const web = `${root}/web`

/** The app as it is, and in its page, as `furrow`, what its forms do when somebody saves. */
const source = `
  import '${web}/app.tsx'
  import { save, undo } from '${web}/sync/save.ts'
  import { needing, sendNow } from '${web}/sync/send-state.ts'
  import { resolveConflicts } from '${web}/sync/outbox-decisions.ts'
  import { newUuid } from '${web}/../src/client/changes.ts'
  import { log, assetBy, termBy } from '${web}/store/local-copy.ts'
  import { placesOf } from '${web}/store/stays.ts'
  import { keepDraft } from '${web}/store/drafts.ts'
  import { photosFit } from '${web}/sync/storage-quota.ts'
  import { askForFiles } from '${web}/forms/attachments.tsx'
  globalThis.furrow = { save, undo, sendNow, needing, resolveConflicts, newUuid, log, assetBy, termBy, placesOf, keepDraft, photosFit, askForFiles }
`

let bundled: Promise<string> | undefined

async function bundle(): Promise<string> {
  const app = await rolldown({
    input: 'verbs',
    cwd: root,
    platform: 'browser',
    transform: { target: 'es2022' },
    tsconfig: `${web}/tsconfig.json`,
    logLevel: 'warn',
    plugins: [
      {
        name: 'verbs',
        resolveId: (id) => (id === 'verbs' ? `${web}/verbs.ts` : null),
        load: (id) => (id === `${web}/verbs.ts` ? source : null),
      },
    ],
  })
  const { output } = await app.generate({ format: 'es', codeSplitting: false })
  await app.close()
  return output[0].code
}

/** From here on the pages of a device can be told what to save, without a form. */
export async function putVerbsAtHand({ line }: Device): Promise<void> {
  bundled ??= bundle()
  const page = await readFile(`${root}/dist/app/app.html`, 'utf8')
  const entry = /<script type="module" src="([^"]+)"/.exec(page)?.[1]
  if (entry === undefined) throw new Error('The page of the app names no script.')
  line.replaced.set(entry, await bundled)
}
