// Who may import whom. Back-references cover features that are not written yet.
const WEB = '^apps/web/src/'
const SERVER = '^apps/server/src/'
const TEST = '\\.test\\.tsx?$|/testing/'
const no = (name, from, to) => ({ name, severity: 'error', from, to })

/**
 * The subjects of the web app's data, from below: each may import the ones before it, so that no two need each other.
 */
const DATA_SUBJECTS = [
  'scope',
  'local',
  'http',
  'wallets',
  'session',
  'api',
  'config',
  'vault',
  'models',
  'agents',
  'sources',
  'channels',
  'credits',
  'payments',
  'pdf',
  'search',
  'transfer',
  'chat',
  'auth',
]
const dataOf = (subjects) => `${WEB}data/(${subjects.join('|')})/`
const dataSubjectsHaveNoCircles = [
  ...DATA_SUBJECTS.slice(0, -1).map((subject, index) =>
    no(
      'data-subjects-have-no-circles',
      { path: dataOf([subject]), pathNot: TEST },
      { path: dataOf(DATA_SUBJECTS.slice(index + 1)) },
    ),
  ),
  // A new subject has to be put in its place in the list before it imports another one.
  no(
    'data-subjects-have-no-circles',
    { path: `${WEB}data/([^/]+)/`, pathNot: [TEST, dataOf(DATA_SUBJECTS)] },
    { path: `${WEB}data/`, pathNot: `${WEB}data/$1/` },
  ),
]

module.exports = {
  forbidden: [
    // A cycle of types alone is gone once it is compiled.
    no('no-cycles', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    no('contract-stands-alone', { path: '^packages/contract/' }, { path: '^(apps|e2e)/|^packages/(pdf|reader)/' }),
    no(
      'the-server-alone-knows-its-limits',
      { path: `^packages/|${WEB}`, pathNot: [TEST, '^packages/contract/src/limits/server'] },
      { path: '^packages/contract/src/limits/server' },
    ),
    no(
      'the-web-app-alone-knows-its-limits',
      { path: `^packages/|${SERVER}`, pathNot: TEST },
      { path: '^packages/contract/src/limits/web' },
    ),
    no('pdf-knows-only-the-contract', { path: '^packages/pdf/' }, { path: '^(apps|e2e)/' }),
    no('reader-knows-only-the-contract', { path: '^packages/reader/' }, { path: '^(apps|e2e)/|^packages/pdf/' }),
    no('web-never-imports-server', { path: WEB }, { path: '^apps/server/' }),
    no('server-never-imports-web', { path: SERVER }, { path: '^apps/web/' }),
    no('screens-sit-below-app', { path: `${WEB}screens/` }, { path: `${WEB}app/` }),
    no('features-sit-below-screens', { path: `${WEB}features/` }, { path: `${WEB}(app|screens)/` }),
    no(
      'features-do-not-know-each-other',
      { path: `${WEB}features/([^/]+)/` },
      { path: `${WEB}features/`, pathNot: `${WEB}features/$1/` },
    ),
    no(
      'ui-never-touches-storage',
      { path: `${WEB}(app|screens|features)/`, pathNot: TEST },
      { path: `${WEB}data/(local|http|api)/` },
    ),
    no(
      'only-data-knows-its-stores',
      { path: `${WEB}(app|screens|features)/`, pathNot: TEST },
      { path: '-store\\.ts$' },
    ),
    ...dataSubjectsHaveNoCircles,
    no('data-has-no-ui', { path: `${WEB}data/` }, { path: `${WEB}(app|screens|features|ui)/` }),
    no(
      'leaves-import-nothing-above',
      { path: `${WEB}(ui|i18n|lib)/`, pathNot: TEST },
      { path: `${WEB}(app|screens|features|data)/` },
    ),
    no(
      'server-leaves',
      { path: `${SERVER}(content|db|plugins|providers)/`, pathNot: TEST },
      { path: `${SERVER}features/` },
    ),
    no(
      'only-stores-speak-sql',
      { path: SERVER, pathNot: `-store\\.ts$|/(db|testing)/|src/(app|main|admin-command)\\.ts$|\\.test\\.ts$` },
      { path: `${SERVER}db/`, dependencyTypesNot: ['type-only'] },
    ),
    no(
      'features-meet-in-public',
      { path: `${SERVER}features/([^/]+)/` },
      {
        path: `${SERVER}features/`,
        pathNot: [`${SERVER}features/$1/`, `${SERVER}features/[^/]+/public/`],
      },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|/[.]cache/|node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
