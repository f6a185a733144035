interface Shelf {
  readonly reader: string
  readonly id: string
  /** Pages by name, each with the question it answers. */
  readonly pages: Readonly<Record<string, string>>
}

/** The four shelves of the documentation. Each page is on one; a test checks that none is missing. */
export const readers: readonly Shelf[] = [
  {
    reader: 'Use: for farmers',
    id: 'use',
    pages: {
      readme: 'the first start, the first account, the first log',
      'first-steps': 'from an empty machine to the first log, in ten minutes',
      concepts: 'assets, logs, areas and terms, with recipes: move a herd, weigh, harvest, keep stock, plan, split',
      app: 'the farm on a phone and a desk, with and without signal',
      phone: 'an https address, three ways, and a check for an iPhone',
      people: 'invitations, roles, devices, forgotten passwords',
      languages: 'English, German and Spanish, and how to add one',
      types: 'every type of record and its fields',
      sheets: 'lists for a spreadsheet, and back',
      maps: 'fields from Google Earth, a drone or QGIS, and back',
      reports: 'harvests, inputs and the history of a field',
      past: 'where everything was on any day, and which log says so',
      'rules/location': 'the rule',
      'rules/geometry': 'the rule',
      'rules/area-contents': 'the rule',
      'rules/membership': 'the rule',
      'rules/inventory': 'the rule',
      'rules/withholding': 'the rule',
    },
  },
  {
    reader: 'Integrate: for programs',
    id: 'integrate',
    pages: {
      integrate: 'OAuth 2.0, passwords, machines, sessions',
      interface: 'addresses, values, filters, files, errors',
      'json-api': 'JSON:API, for programs of the newer generation',
      client: 'furrow/client for JavaScript, and Python',
      openapi: 'OpenAPI, and a typed client',
      xml: 'the same records in XML',
      batch: 'all or nothing, or each on its own',
      ids: 'records made without signal',
      retrying: 'idempotency keys and ETags, for a bad connection',
      'dry-run': 'try a write without saving it',
      changes: 'a nightly copy, and events',
      history: 'who changed what, revert and undo',
      trash: 'removed records, and how to restore them',
      refusals: 'every refusal, and what to do about it',
      limits: 'how much of everything there may be',
    },
  },
  {
    reader: 'Run: for operators',
    id: 'run',
    pages: {
      settings: 'ports, public address, PostgreSQL, proxy',
      commands: 'every command of furrow',
      operating: 'backups, restores, upgrades, health, a proxy',
      scaling: 'several servers, poolers, several hosts of PostgreSQL',
      'moving-in': 'a live farmOS 1.x in one command',
      'moving-out': 'everything as sheets, maps and photos',
      promises: 'what you can rely on, and the tests that hold it',
      performance: 'how fast, and what costs what',
      security: 'how to report a vulnerability',
      changelog: 'what is new',
    },
  },
  {
    reader: 'Build: for engineers',
    id: 'build',
    pages: {
      contributing: 'rules and recipes',
      architecture: 'rooms, requests, tables, and why',
      modules: 'types and fields of your own',
      access: 'authentication, rights, the authorization server',
      specification: 'what each cited section asks for',
      gaps: 'what the specification leaves open, and what we chose',
      'gaps-access': 'the same for access',
      campaigns: 'programs that try to break the server',
    },
  },
]
