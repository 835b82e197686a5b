// Who may import whom. Back-references cover features that are not written yet.
const WEB = '^apps/web/src/'
const SERVER = '^apps/server/src/'
const TEST = '\\.test\\.tsx?$|/testing/'
const no = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    // A cycle of types alone is gone once it is compiled.
    no('no-cycles', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    no('contract-stands-alone', { path: '^packages/contract/' }, { path: '^(apps|e2e)/|^packages/pdf/' }),
    no('pdf-knows-only-the-contract', { path: '^packages/pdf/' }, { path: '^(apps|e2e)/' }),
    no('web-never-imports-server', { path: WEB }, { path: '^apps/server/' }),
    no('server-never-imports-web', { path: SERVER }, { path: '^apps/web/' }),
    no('screens-sit-below-app', { path: `${WEB}screens/` }, { path: `${WEB}app/` }),
    no('features-sit-below-screens', { path: `${WEB}features/` }, { path: `${WEB}(app|screens)/` }),
    no('features-do-not-know-each-other', { path: `${WEB}features/([^/]+)/` }, { path: `${WEB}features/`, pathNot: `${WEB}features/$1/` }),
    no('ui-never-touches-storage', { path: `${WEB}(app|screens|features)/`, pathNot: TEST }, { path: `${WEB}data/(local|http)/` }),
    no('only-data-knows-its-stores', { path: `${WEB}(app|screens|features)/`, pathNot: TEST }, { path: '-store\\.ts$' }),
    no('data-has-no-ui', { path: `${WEB}data/` }, { path: `${WEB}(app|screens|features|ui)/` }),
    no('leaves-import-nothing-above', { path: `${WEB}(ui|i18n|lib)/`, pathNot: TEST }, { path: `${WEB}(app|screens|features|data)/` }),
    no('server-leaves', { path: `${SERVER}(db|plugins|providers)/`, pathNot: TEST }, { path: `${SERVER}features/` }),
    no(
      'only-stores-speak-sql',
      { path: SERVER, pathNot: `-store\\.ts$|/(db|testing)/|src/(app|main|admin-command)\\.ts$|\\.test\\.ts$` },
      { path: `${SERVER}db/`, dependencyTypesNot: ['type-only'] },
    ),
    no(
      'features-meet-through-services',
      { path: `${SERVER}features/([^/]+)/`, pathNot: TEST },
      { path: `${SERVER}features/`, pathNot: [`${SERVER}features/$1/`, '-service\\.ts$'] },
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
