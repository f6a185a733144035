import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { administering, sendJson } from './administering.ts'
import { runOwnCommand } from './own-command.ts'

/** A farm that takes longer is looked at from the command line. */
const patienceMs = 60_000

interface Verdict {
  /** Null where the doctor did not come to an end. */
  readonly sound: boolean | null
  readonly sentence: string
  /** What the doctor said of what it found. */
  readonly findings: readonly string[]
  readonly at: string
}

/** What `furrow doctor` says of the farm. It looks once, however many ask meanwhile. */
export function addDoctor(app: FastifyInstance, installation: Installation): void {
  let looking: Promise<Verdict> | undefined
  app.get('/administer/doctor.json', async (request, reply) => {
    await administering(request, installation)
    looking ??= lookAt(installation).finally(() => {
      looking = undefined
    })
    return sendJson(reply, await looking)
  })
}

const tooLong = 'The doctor did not come to an end in a minute: run `furrow doctor` where the server runs.'

async function lookAt({ settings, clock }: Installation): Promise<Verdict> {
  const { code, output, complaint } = await runOwnCommand(['doctor'], settings, AbortSignal.timeout(patienceMs))
  const at = String(clock())
  if (code === 0) return { sound: true, sentence: output.split('\n')[0] ?? '', findings: [], at }
  if (code === null) return { sound: null, sentence: tooLong, findings: [], at }
  const findings = output.split('\n').filter((line) => line !== '')
  return { sound: findings.length === 0 ? null : false, sentence: lastLineOf(complaint), findings, at }
}

/** Without the name of the program before it. */
const lastLineOf = (text: string): string => (text.trim().split('\n').at(-1) ?? '').replace(/^furrow(?: doctor)?: /, '')
