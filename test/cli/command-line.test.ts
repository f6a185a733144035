import { describe, expect, it } from 'vitest'
import { Misuse } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { helpOf, understand } from '../../src/cli/run-furrow.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { furrow } from './built-furrow.ts'

const textOf = (...args: string[]): unknown => understand(args, {})

describe('help', () => {
  it.each(commands.map((command) => [command.words, command] as const))(
    'of %s is the same by --help and by help, and names every option',
    (words, command) => {
      const text = textOf(...words.split(' '), '--help')
      expect(text).toBe(helpOf(command))
      for (const name of Object.keys(command.options)) expect(text).toContain(`--${name}`)
      expect(textOf('help', ...words.split(' '))).toBe(text)
    },
  )
  it('of everything lists every command', () => {
    for (const args of [[], ['help'], ['--help'], ['-h']]) {
      for (const { words } of commands) expect(textOf(...args)).toContain(`  ${words}  `)
    }
  })
  it('of a group lists its commands only', () => {
    for (const args of [
      ['user', '--help'],
      ['help', 'user'],
    ]) {
      expect(textOf(...args)).toContain('user set-role')
      expect(textOf(...args)).not.toContain('serve')
    }
  })
  it('goes to standard output, as the version does', async () => {
    const help = await furrow(['user', 'add', '--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Usage: furrow user add NAME --role manager\|worker\|viewer\|none \[options\]\n/)
    expect((await furrow(['--version'])).stdout).toMatch(
      /^\d+\.\d+\.\d+ \(commit ([0-9a-f]{7,40}|unknown), tables \d+\)\n$/,
    )
    for (const word of ['version', '-V']) expect(textOf(word)).toBe(textOf('--version'))
  })
})

const misuses: readonly (readonly [string[], string[]])[] = [
  [['sow'], ['"sow"', 'serve', 'user', 'client', 'config']],
  [['user'], ['needs one of', 'add']],
  [['backup', ''], ['furrow backup needs FILE']],
  [
    ['user', 'ad'],
    ['"user ad"', 'add', 'set-password'],
  ],
  [
    ['help', 'sow'],
    ['"sow"', 'serve'],
  ],
  [
    ['serve', '--prot', '80'],
    ['--prot', '--port', '--base-url'],
  ],
  [
    ['serve', '-p', '80'],
    ['-p', '--port'],
  ],
  [
    ['serve', '--port'],
    ['--port', 'N'],
  ],
  [
    ['serve', '--port', '--host', 'x'],
    ['--port', 'N'],
  ],
  [
    ['serve', '--port', '65536'],
    ['--port', '65536', '0 to 65535'],
  ],
  [
    ['serve', '--port', '-1'],
    ['--port', '-1', '0 to 65535'],
  ],
  [
    ['serve', '--port', '80x'],
    ['--port', '80x'],
  ],
  [
    ['serve', '--port', '80', '--port', '81'],
    ['--port', '2 times'],
  ],
  [
    ['serve', '--base-url', 'farm.example'],
    ['--base-url', 'https://'],
  ],
  [
    ['serve', '--base-url', 'https://ada:pw@farm.example'],
    ['--base-url', 'without user'],
  ],
  [
    ['serve', '--base-url', 'https://farm.example/north'],
    ['--base-url', 'whole host'],
  ],
  [
    ['serve', '--database', 'mysql://x'],
    ['--database', 'postgres://'],
  ],
  [
    ['serve', '--rest-module', 'a/b'],
    ['--rest-module', 'segment'],
  ],
  [
    ['serve', '--basic-auth=('],
    ['--basic-auth', 'regular expression'],
  ],
  [
    ['serve', '--trusted-proxy', '10.0.0.0/33'],
    ['--trusted-proxy', '10.0.0.0/8'],
  ],
  [
    ['serve', '--trusted-proxy', 'proxy.example'],
    ['--trusted-proxy', 'proxy.example'],
  ],
  [
    ['serve', '--require-tls=yes'],
    ['--require-tls', 'no value'],
  ],
  [['serve', '--development-client', '--no-development-client'], ['contradict']],
  [['serve', 'now'], ['"now"']],
  [['serve', '--__proto__', 'x'], ['--__proto__']],
  [['user', 'add', '--role', 'manager'], ['NAME']],
  [
    ['user', 'add', 'ada'],
    ['--role', 'manager|worker|viewer|none'],
  ],
  [
    ['user', 'add', 'ada', '--role', 'boss'],
    ['--role', 'boss', 'manager, worker, viewer, none'],
  ],
  [['user', 'add', 'ada', 'eve', '--role', 'none'], ['"eve"']],
  [
    ['user', 'add', 'ada', '--role', 'none', '--password', 'secret'],
    ['--password', '--password-stdin'],
  ],
  [['config', 'set', 'name'], ['VALUE']],
  [['client', 'add', 'x'], ['--label']],
  [
    ['client', 'add', 'x', '--label', 'X', '--grant', 'implicit'],
    ['--grant', 'client_credentials'],
  ],
  [
    ['client', 'add', 'x', '--label', 'X', '--access-lifetime', '0'],
    ['--access-lifetime', '1 to'],
  ],
  [
    ['client', 'add', 'x', '--label', 'X', '--pkce', 'no'],
    ['--pkce', 'required, optional'],
  ],
  [['client', 'set', 'x', '--enable', '--disable'], ['contradict']],
]

describe('a wrong command line', () => {
  it.each(misuses)('%j is refused by name with what is allowed', (args, words) => {
    const sentence = sentenceOf(args)
    for (const word of words) expect(sentence).toContain(word)
  })
  it.each([
    [['usr', 'add', 'ada', '--role', 'worker'], 'furrow user add'],
    [['usr'], 'furrow user'],
    [['help', 'usr'], 'furrow user'],
    [['user', 'ad', 'ada'], 'furrow user add'],
    [['user', 'lsit'], 'furrow user list'],
    [['add', 'user', 'ada'], 'furrow user add'],
    [['useradd', 'ada'], 'furrow user add'],
    [['client', 'rotate-secert', 'x'], 'furrow client rotate-secret'],
    [['SREVE'], 'furrow serve'],
    [['bakcup', 'farm.tar.gz'], 'furrow backup'],
    [['serve', '--prot', '80'], '--port'],
    [['user', 'add', 'ada', '--rol', 'worker'], '--role'],
    [['user', 'add', 'ada', '-role', 'worker'], null],
    [['serve', '--nonsense'], null],
    [['sow'], null],
    [['user', 'promote'], null],
  ])('%j is answered with what was probably meant', (args, meant) => {
    const [, asked = null] = / Is (.+) meant\?$/.exec(sentenceOf(args)) ?? []
    expect(asked).toBe(meant)
  })
  it('names the setting that was probably meant, and none where nothing is like it', async () => {
    const data = await emptyDirectory()
    const { code, stderr } = await furrow(['config', 'set', 'nmae', 'Hill', '--data', data], {
      env: { FURROW_KITCHEN_WINDOWS: '4' },
    })
    expect(code).toBe(2)
    expect(stderr).toContain('FURROW_KITCHEN_WINDOWS is not a setting and is ignored.\n')
    expect(stderr).toContain('Is name meant?\n')
  })
  it('exits with 2 and says so on standard error', async () => {
    expect(await furrow(['serve', '--prot', '80'])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^furrow: Unknown option --prot\. furrow serve takes --data, [^\n]*\n$/),
    })
  })
  it('without a terminal and without --password-stdin says how to give a password', async () => {
    const { code, stderr } = await furrow(['user', 'add', 'ada', '--role', 'manager', '--data', await emptyDirectory()])
    expect(code).toBe(2)
    expect(stderr).toContain('--password-stdin')
  })
  it('in the environment is noticed, and a variable that nobody knows is named', async () => {
    const env = { FURROW_DATA: await emptyDirectory(), FURROW_PROT: '80' }
    const { code, stderr } = await furrow(['config', 'set', 'name', 'Hill farm'], { env })
    expect(code).toBe(0)
    expect(stderr).toContain('the variable FURROW_PROT is not a setting and is ignored. Is FURROW_PORT meant?\n')
    expect((await furrow(['serve'], { env: { ...env, FURROW_PORT: 'http' } })).stderr).toContain('FURROW_PORT "http"')
  })
})

function sentenceOf(args: readonly string[]): string {
  try {
    understand(args, {})
  } catch (error) {
    if (error instanceof Misuse) return error.message
    throw error
  }
  throw new Error(`${args.join(' ')} was understood`)
}
