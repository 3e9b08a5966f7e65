/** The walls of ARCHITECTURE.md. `npm run walls` checks every import in src/ against them. */

const { MAY_IMPORT, MAY_IMPORT_IN_SCIENCE } = require('./walls.cjs');

const TESTS = '\\.(test|conformance)\\.ts$';

module.exports = {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
      name: `wall-of-${folder}`,
      comment: `src/${folder} may import only: ${[folder, ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/${folder}/`, pathNot: TESTS },
      to: { path: '^(src|web|test|bench)/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
    })),
    ...Object.entries(MAY_IMPORT_IN_SCIENCE).map(([folder, allowed]) => ({
      name: `wall-of-science-${folder}`,
      comment: `src/science/${folder} may import of the science only: ${[folder, ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/science/${folder}/`, pathNot: TESTS },
      to: { path: '^src/science/', pathNot: `^src/science/(${[folder, ...allowed].join('|')})/` },
    })),
    {
      name: 'wall-of-the-package',
      comment: 'src/index.ts only names what the package gives to other programs',
      severity: 'error',
      from: { path: '^src/[^/]+$' },
      to: { pathNot: '^src/(archive|server)/' },
    },
    {
      name: 'model-and-science-are-pure',
      comment: 'no Node, no npm packages: the same code runs in the crawler, the lab and the web page',
      severity: 'error',
      from: { path: '^src/(model|science|ports)/', pathNot: TESTS },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    {
      name: 'web-stays-in-the-browser',
      comment: 'web/ may import the model, the science and the types of the API',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '^src/(model|science|server/api-types)' },
    },
    {
      name: 'stages-stand-alone',
      comment:
        'a stage runs no other stage: the loop puts them together. Types of what it is handed are fine',
      severity: 'error',
      from: { path: '^src/stages/', pathNot: TESTS },
      to: { path: '^src/stages/(?!stored/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      comment: 'types may refer to each other; code may not',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.svelte'] },
  },
};
