// Prints an error and exits if Node is older than package.json requires. It runs before anything
// else, so it is written for the oldest Node still in use.
'use strict';

var wanted = require('../package.json').engines.node;

function parts(version) {
  return version.split('.').map(Number);
}

function isAtLeast(version, least) {
  for (var i = 0; i < least.length; ++i) {
    if (version[i] !== least[i]) return version[i] > least[i];
  }
  return true;
}

/** Parses a range as in package.json, such as "^20.19.0 || >=24". */
function readRange(range) {
  return range.split('||').map(function (text) {
    var match = /^(\^|>=)([\d.]+)$/.exec(text.trim());
    if (!match)
      throw new Error('package.json: engines.node: got ' + range + '; allowed: ^ or >= and a version');
    return { least: parts(match[2]), isOfOneMajor: match[1] === '^' };
  });
}

function describe(alternative) {
  var least = alternative.least;
  if (!alternative.isOfOneMajor) return least.join('.') + ' or later';
  return least[0] + ' from ' + least.slice(0, 2).join('.') + ' on';
}

/**
 * @param {string} version such as "18.20.4"
 * @param {string} [range] such as "^20.19.0 || >=24"
 * @returns {string} the error message for this version; empty if the version is supported
 */
function refusal(version, range) {
  var own = parts(version);
  var alternatives = readRange(range || wanted);
  var isWanted = alternatives.some(function (alternative) {
    return (
      isAtLeast(own, alternative.least) && (!alternative.isOfOneMajor || own[0] === alternative.least[0])
    );
  });
  if (isWanted) return '';
  return (
    'Latchscope needs Node ' + alternatives.map(describe).join(', or ') + '. This is Node ' + version + '.'
  );
}

module.exports = { refusal: refusal };

var sentence = refusal(process.versions.node);
if (sentence) {
  process.stderr.write(sentence + ' Install a newer one and run the command again.\n');
  process.exit(1);
}
