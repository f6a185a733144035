import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { command } from '../../src/cli/command.ts'
import { type Environment, unknownVariables } from '../../src/cli/environment.ts'
import { serverOptions, settingsFrom } from '../../src/cli/server-options.ts'
import { defaultSettings, type ServerSettings } from '../../src/config.ts'

/** The settings that `furrow serve` would run with. */
function settingsOf(args: readonly string[], environment: Environment = {}): ServerSettings {
  let settings: ServerSettings | undefined
  const probe = command({
    words: 'serve',
    summary: '',
    takes: {},
    options: serverOptions,
    run({ options }) {
      settings = settingsFrom(options)
      return Promise.resolve()
    },
  })
  const given = readArguments(probe, args, environment)
  if (given !== 'help') void probe.run(given)
  return settings ?? defaultSettings
}

describe('the settings of a server', () => {
  it('are the documented defaults when nothing is said', () => {
    expect(settingsOf([])).toEqual(defaultSettings)
  })

  it('are read from options', () => {
    const args =
      '--data d --port 81 --host 0.0.0.0 --base-url https://Farm.example/ --database postgres://db/farm --module a.mjs ' +
      '--module b.mjs --rest-module rest --basic-auth=^api_ --development-client=dev --no-password-grant --require-tls ' +
      '--trusted-proxy 10.0.0.0/8 --trusted-proxy fd00::1 --metrics-port 9090 --metrics-host ::1 ' +
      '--no-log-addresses --event-days 30 --read-seconds 5 --no-app --move-from-private --tls-cert c.pem --tls-key k.pem ' +
      '--body-mib 64 --file-mib 20'
    expect(settingsOf(args.split(' '))).toEqual({
      data: 'd',
      port: 81,
      host: '0.0.0.0',
      baseUrl: 'https://farm.example',
      database: 'postgres://db/farm',
      modules: ['a.mjs', 'b.mjs'],
      restModule: 'rest',
      basicAuth: /^api_/u,
      developmentClient: 'dev',
      passwordGrant: false,
      requireTls: true,
      tls: { cert: 'c.pem', key: 'k.pem' },
      bodyMebibytes: 64,
      fileMebibytes: 20,
      trustedProxies: ['10.0.0.0/8', 'fd00::1'],
      logAddresses: false,
      eventDays: 30,
      readSeconds: 5,
      metricsPort: 9090,
      metricsHost: '::1',
      app: false,
      moveFromPrivate: true,
    })
  })

  it('keep a file within a body', () => {
    expect(settingsOf(['--body-mib', '4'])).toMatchObject({ bodyMebibytes: 4, fileMebibytes: 4 })
    expect(() => settingsOf(['--file-mib', '40'])).toThrow('raise --body-mib')
  })

  it('may use one port on two addresses', () => {
    const args = '--port 9090 --metrics-port 9090 --host 10.0.0.5 --metrics-host 127.0.0.1'
    expect(settingsOf(args.split(' '))).toMatchObject({ port: 9090, metricsPort: 9090 })
  })

  it('are read from FURROW_* variables', () => {
    const environment = {
      FURROW_DATA: 'd',
      FURROW_PORT: '81',
      FURROW_HOST: '0.0.0.0',
      FURROW_BASE_URL: 'https://farm.example',
      FURROW_DATABASE: 'postgres://db/farm',
      FURROW_MODULE: 'a.mjs, b.mjs',
      FURROW_REST_MODULE: 'rest',
      FURROW_BASIC_AUTH: '^api_',
      FURROW_DEVELOPMENT_CLIENT: 'dev',
      FURROW_NO_APP: 'yes',
      FURROW_NO_PASSWORD_GRANT: 'yes',
      FURROW_REQUIRE_TLS: '1',
      FURROW_TRUSTED_PROXY: '10.0.0.0/8,fd00::1',
    }
    expect(settingsOf([], environment)).toMatchObject({
      data: 'd',
      port: 81,
      database: 'postgres://db/farm',
      modules: ['a.mjs', 'b.mjs'],
      restModule: 'rest',
      basicAuth: /^api_/u,
      developmentClient: 'dev',
      passwordGrant: false,
      requireTls: true,
      trustedProxies: ['10.0.0.0/8', 'fd00::1'],
      app: false,
    })
  })

  it('prefer the option to the variable, and take an empty variable as absent', () => {
    expect(settingsOf(['--port', '82'], { FURROW_PORT: '81' }).port).toBe(82)
    expect(settingsOf([], { FURROW_PORT: '' }).port).toBe(8080)
    expect(settingsOf(['--no-development-client'], { FURROW_DEVELOPMENT_CLIENT: 'dev' }).developmentClient).toBeNull()
  })

  it('take --data for the farm that is meant, before FURROW_DATABASE and never before --database', () => {
    const environment = { FURROW_DATA: 'd', FURROW_DATABASE: 'postgres://db/farm' }
    expect(settingsOf(['--data', 'e'], environment)).toMatchObject({ data: 'e', database: null })
    expect(settingsOf(['--database', 'postgres://db/other'], environment)).toMatchObject({
      data: 'd',
      database: 'postgres://db/other',
    })
    expect(settingsOf(['--data', 'e', '--database', 'postgres://db/other'], environment)).toMatchObject({
      data: 'e',
      database: 'postgres://db/other',
    })
  })

  it('refuse a bad variable by its name', () => {
    expect(() => settingsOf([], { FURROW_REQUIRE_TLS: 'maybe' })).toThrow(/FURROW_REQUIRE_TLS "maybe"/)
    expect(() => settingsOf([], { FURROW_PORT: 'http' })).toThrow(/FURROW_PORT.*"http"/)
    expect(() => settingsOf([], { FURROW_DEVELOPMENT_CLIENT: 'dev', FURROW_NO_DEVELOPMENT_CLIENT: '1' })).toThrow(
      /FURROW_DEVELOPMENT_CLIENT and FURROW_NO_DEVELOPMENT_CLIENT contradict/,
    )
  })

  it('refuse a base address over http where TLS is required', () => {
    const both = { FURROW_REQUIRE_TLS: '1', FURROW_BASE_URL: 'http://farm.example:8080' }
    expect(() => settingsOf([], both)).toThrow(/--require-tls.*--base-url https:\/\/farm\.example:8080/)
    expect(settingsOf(['--require-tls', '--base-url', 'https://farm.example']).requireTls).toBe(true)
    expect(settingsOf(['--base-url', 'http://farm.example']).requireTls).toBe(false)
  })

  it('do not repeat a database address that may hold a password', () => {
    expect(() => settingsOf(['--database', 'mysql://ada:carrots@db'])).toThrow(/^--database is not allowed/)
  })

  it('notice a variable that nobody knows', () => {
    const commands = [command({ words: 'x', summary: '', takes: {}, options: serverOptions, run: async () => {} })]
    expect(unknownVariables({ FURROW_PROT: '81', FURROW_PORT: '81', HOME: '/' }, commands)).toEqual(['FURROW_PROT'])
  })
})

describe('the development client', () => {
  it('is there by default while only this machine can connect', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) {
      expect(settingsOf(['--host', host]).developmentClient, host).toBe('farm_development')
    }
    for (const host of ['0.0.0.0', '::', '192.168.1.2', 'farm.example', '127.0.0.1.nip.io']) {
      expect(settingsOf(['--host', host]).developmentClient, host).toBeNull()
    }
  })
  it('is there when asked for, and not when told so', () => {
    expect(settingsOf(['--host', '0.0.0.0', '--development-client']).developmentClient).toBe('farm_development')
    expect(settingsOf(['--development-client=dev']).developmentClient).toBe('dev')
    expect(settingsOf(['--no-development-client']).developmentClient).toBeNull()
  })
})

describe('HTTP Basic', () => {
  it('is off unless asked for, and then admits the names that match', () => {
    expect(settingsOf([]).basicAuth).toBeNull()
    expect(settingsOf(['--basic-auth']).basicAuth).toEqual(/^restws/u)
    expect(settingsOf([], { FURROW_BASIC_AUTH: 'true' }).basicAuth).toEqual(/^restws/u)
    expect(settingsOf([], { FURROW_BASIC_AUTH: 'off' }).basicAuth).toBeNull()
  })
})
