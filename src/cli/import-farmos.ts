import { resolve } from 'node:path'
import { readableWay } from '../../programs/move-in/address-guard.ts'
import { follow } from '../../programs/move-in/follow.ts'
import { withoutSlash } from '../../programs/move-in/http-client.ts'
import { type MoveHost, moveIn, verifyOnly } from '../../programs/move-in/move-in.ts'
import { readWord } from './arguments.ts'
import { command, farmOptions, Misuse } from './command.ts'
import { inExistingFarm } from './existing-farm.ts'
import { loadFarm } from './modules.ts'
import { BadValue, flag, one, oneOrElse, type ReadText } from './option.ts'
import { anyText, oneOf } from './option-values.ts'
import { withProgressAlsoOnPipes } from './progress.ts'
import { shownResources, unservedFiles } from './served-files.ts'
import { askForSecret, say } from './terminal.ts'

/** The address of the farmOS server: a host, and a path if it is installed under one. */
const serverAddress: ReadText<URL> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && url.username + url.password + url.search + url.hash === ''
  if (url === null || !/^https?:$/.test(url.protocol) || !isPlain) {
    throw new BadValue('the http:// or https:// address of a farmOS, without user, query or fragment')
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

export const importFarmos = command({
  words: 'import farmos',
  summary: 'Move a live farmOS into an empty farm, and compare every record on both sides',
  takes: { URL: 'The address of the farmOS' },
  options: {
    user: one('NAME', anyText, { help: 'The account to read as, with its password: it also reads private files' }),
    'password-stdin': flag({
      help: 'Read the password from standard input instead of asking for it',
      opposite: 'token-stdin',
    }),
    'token-stdin': flag({ help: 'Read an OAuth access token from standard input instead', opposite: 'password-stdin' }),
    client: one('ID', anyText, {
      help: 'An OAuth client of the other server that logs in as itself; its secret is asked for',
    }),
    'secret-stdin': flag({ help: 'Read the secret of that client from standard input instead of asking for it' }),
    interface: one('1.x|api', oneOf(['1.x', 'api']), {
      help: 'What the other server speaks: found out, where both are there 1.x',
    }),
    'dry-run': flag({
      help: 'Read everything and say what would become of it; the farm stays as it is',
      opposite: 'verify-only',
    }),
    resume: flag({ help: 'Go on with a reading that was begun' }),
    follow: flag({
      help: 'Bring what changed over there into a farm that moved in before and may be in use',
    }),
    theirs: one('RECORDS', anyText, {
      help: 'With --follow: take these as they are there, such as "log 12, asset 3", or all',
    }),
    ours: one('RECORDS', anyText, { help: 'With --follow: keep these as they are here' }),
    last: flag({ help: 'With --follow: compare everything once more, and end the following' }),
    again: flag({
      help: 'Move in again where this farm moved in before: its records are replaced, its people stay',
    }),
    'verify-only': flag({ help: 'Compare only, with the farm that was moved in before' }),
    'write-module': one('FILE', anyText, {
      help: 'Declare what this farm does not know in a module, show it, and end',
    }),
    notes: oneOrElse('text|html', oneOf(['text', 'html']), {
      help: 'How notes are taken: as what was written, or as the farmOS renders them',
      fallback: 'text',
    }),
    insecure: flag({ help: 'Speak plain http also beyond private networks' }),
    ...farmOptions,
  },
  async run({ names: { URL: address }, options }) {
    const url = readWord('URL', address, serverAddress)
    const ways = [options.user, options.client, options['token-stdin'] || undefined].filter((way) => way !== undefined)
    if (ways.length !== 1)
      throw new Misuse(
        'furrow import farmos needs one of --user NAME with a password, --client ID with a secret, or --token-stdin.',
      )
    const move = {
      place: { data: resolve(options.data), database: options.database ?? null },
      dryRun: options['dry-run'],
      resume: options.resume,
      again: options.again,
      modules: options.module ?? [],
      spoken: options.interface,
      moduleFile: options['write-module'],
      notes: options.notes,
    }
    const { last, theirs, ours } = options
    if (!options.follow && (last || theirs !== undefined || ours !== undefined))
      throw new Misuse('--theirs, --ours and --last belong to --follow.')
    const host: MoveHost = {
      say,
      withProgress: withProgressAlsoOnPipes,
      askForCredentials: () => askForCredentials(url, options),
      loadFarm: () => loadFarm(options.module ?? []),
      inFarm: (work) => inExistingFarm(options, work),
      unservedFiles,
      shownResources,
    }
    if (!options.follow) return (options['verify-only'] ? verifyOnly : moveIn)(url, move, host)
    await follow(url, { ...move, takeTheirs: recordsIn(theirs), keepOurs: recordsIn(ours), last }, host)
  },
})

const recordsIn = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : text.split(',').map((one) => one.trim().replaceAll(/\s+/g, ' '))

interface LoginOptions {
  readonly user: string | undefined
  readonly 'password-stdin': boolean
  readonly 'token-stdin': boolean
  readonly client: string | undefined
  readonly 'secret-stdin': boolean
  readonly insecure: boolean
}

async function askForCredentials(url: URL, options: LoginOptions) {
  if (!options.insecure) await refuseReadableWay(url)
  if (options['token-stdin']) return { token: (await askForSecret('stdin', 'Token')).trim() }
  const { client } = options
  if (client !== undefined)
    return {
      client,
      secret: await askForSecret(options['secret-stdin'] ? 'stdin' : 'terminal', `Secret of ${client} at ${url.host}`),
    }
  const source = options['password-stdin'] ? 'stdin' : 'terminal'
  const password = await askForSecret(source, `Password of ${options.user} at ${url.host}`)
  return { user: options.user ?? '', password }
}

/** Over plain HTTP to another machine, a password or token could be read on the way. */
async function refuseReadableWay(url: URL): Promise<void> {
  const way = await readableWay(url)
  if (way === 'unknown') throw new Misuse(`There is no host ${url.hostname}: look at the address.`)
  if (way === 'readable')
    throw new Misuse(
      `${withoutSlash(url)} is not in a private network, and on the way there everybody could read the password and the records: ` +
        'give its https:// address, or --insecure.',
    )
}
