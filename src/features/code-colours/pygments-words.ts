/*!
 * Taken from Pygments 2.18.0, under its licence (BSD-2-Clause):
 *
 * Copyright (c) 2006-2022 by the respective authors (see AUTHORS file).
 * All rights reserved.
 *
 * Redistribution and use in source and binary forms, with or without
 * modification, are permitted provided that the following conditions are
 * met:
 *
 * * Redistributions of source code must retain the above copyright
 *   notice, this list of conditions and the following disclaimer.
 *
 * * Redistributions in binary form must reproduce the above copyright
 *   notice, this list of conditions and the following disclaimer in the
 *   documentation and/or other materials provided with the distribution.
 *
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS
 * "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT
 * LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR
 * A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT
 * OWNER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
 * SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT
 * LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
 * DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY
 * THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
 * (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
 * OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
 */

/**
 * Reserved words and built-ins by language, behind the class that Pygments gives them: `@Language .class word…`. Lists of
 * more than 80 words are left out.
 */
export const PYGMENTS_WORDS = `
@JavaScript
.k async await break case catch continue debugger default do else export extends finally for if import of return
static super switch this throw try while yield .nb Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array
Boolean DataView Date Float32Array Float64Array Function Intl JSON Map Math Number Object Promise Proxy Reflect RegExp
Set String Symbol Uint8ClampedArray WeakMap WeakSet decodeURI decodeURIComponent document encodeURI encodeURIComponent
eval global globalThis isFinite isNaN parseFloat parseInt window .ow delete in instanceof new typeof void .kc Infinity
NaN false null true undefined .kr abstract as boolean byte char constructor double enum final float from goto
implements int interface long native package private protected public short synchronized throws transient volatile .kd
class const function let var with .ne Error
@TypeScript
.k abstract async await break case catch continue debugger default do else export extends finally for if implements
import of private protected public readonly return static super switch this throw try while yield .nb Array
ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Float32Array Float64Array Function Intl
JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol Uint8ClampedArray WeakMap WeakSet decodeURI
decodeURIComponent document encodeURI encodeURIComponent eval global globalThis isFinite isNaN parseFloat parseInt
window .ow delete in instanceof new typeof void .kc Infinity NaN false null true undefined .kr as byte char
constructor declare double final float from goto int long native package short synchronized throws transient type
volatile .kd class const enum function interface let override var with .kt boolean number string .ne Error
@JSX
.k async await break case catch continue debugger default do else export extends finally for if import of return
static super switch this throw try while yield .nb Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array
Boolean DataView Date Float32Array Float64Array Function Intl JSON Map Math Number Object Promise Proxy Reflect RegExp
Set String Symbol Uint8ClampedArray WeakMap WeakSet decodeURI decodeURIComponent document encodeURI encodeURIComponent
eval global globalThis isFinite isNaN parseFloat parseInt window .ow delete in instanceof new typeof void .kc Infinity
NaN false null true undefined .kr abstract as boolean byte char constructor double enum final float from goto
implements int interface long native package private protected public short synchronized throws transient volatile .kd
class const function let var with .ne Error
@Go
.k break case continue default defer else fallthrough for go goto if range return select switch .kt any bool byte
comparable complex128 complex64 error float float32 float64 int int16 int32 int64 int8 rune string uint uint16 uint32
uint64 uint8 uintptr .kc false iota nil true .kd chan const func interface map struct type var .kn import package
@Rust
.k as async await box break const continue crate dyn else enum extern fn for if impl in loop match mod move mut pub
ref return static struct super trait type union unsafe use where while .kt bool char f32 f64 i128 i16 i32 i64 i8 isize
str u128 u16 u32 u64 u8 usize .nb AsMut AsRef Box Clone Copy Default DoubleEndedIterator Drop Eq Err ExactSizeIterator
Extend Fn FnMut FnOnce From Into IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result Send Sized Some
String Sync ToOwned ToString Unpin Vec drop .kr abstract become do final macro override priv try typeof unsized
virtual yield .kc false true .bp self .kd let
@Java
.k assert break case catch continue default do else finally for goto if instanceof new return switch this throw try
while .kd abstract class const enum extends final implements interface native private protected public record sealed
static strictfp super synchronized throws transient var volatile yield .kt boolean byte char double float int long
short void .kc false null true .kn import package
@Kotlin
.k as break by catch constructor continue do dynamic else finally for get if import in init is out package reified
return set super this throw try typealias typeof vararg when where while .kt Any Any? Boolean Boolean? Byte Byte? Char
Char? Double Double? Float Float? Int Int? Long Long? Short Short? String String? Unit Unit? .nb it .kc false null
true .kd class fun interface object val var
@Swift
.k as async await break case catch continue default defer do else fallthrough for guard if in is repeat return switch
throw try where while .bp abs advance alignof alignofValue assert assertionFailure contains count countElements
debugPrint debugPrintln distance dropFirst dropLast dump enumerate equal extend fatalError filter find first getVaList
indices insert isEmpty join last lexicographicalCompare map max maxElement min minElement numericCast overlaps
partition precondition preconditionFailure print println reduce reflect removeAll removeAtIndex removeLast removeRange
reverse sizeof sizeofValue sort sorted splice split startsWith stride strideof strideofValue suffix swap toDebugString
toString transcode underestimateCount unsafeAddressOf unsafeBitCast unsafeDowncast withExtendedLifetime
withUnsafeMutablePointer withUnsafeMutablePointers withUnsafePointer withUnsafePointers withVaList .kc Self __COLUMN__
__FILE__ __FUNCTION__ __LINE__ dynamicType false nil self super true .kr Protocol Type associativity convenience
didSet dynamic final get indirect infix inout lazy left mutating none nonmutating optional override postfix precedence
prefix required rethrows right set throws unowned weak willSet .kd actor associatedtype class deinit enum extension
func import init internal let operator private protocol public static struct subscript typealias var
@C
.k _Alignas _Alignof _Generic _Imaginary _Noreturn _Pragma _Static_assert _Thread_local alignas alignof asm auto break
case complex const continue default do else enum extern for goto if imaginary noreturn register restricted return
sizeof static static_assert struct switch thread_local typedef union volatile while .kr __inline _inline inline naked
restrict thread .nb NULL false true
@C++
.kr __inline _inline inline naked restrict thread .nb NULL false true
@C#
.kt bool byte char decimal double dynamic float int long object sbyte short string uint ulong ushort var
@F#
.kt bool byte char decimal double enum exn float float32 int16 int32 int64 int8 list nativeint obj sbyte single string
uint16 uint32 uint64 uint8 unativeint unit .ow and not or
@PHP
.k abstract and array as break case catch cfunction class clone continue declare default die do e_all e_error e_parse
e_warning echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends false final
finally for foreach function global if implements include include_once interface list match namespace new not null
old_function or parent php_os php_user_filter php_version print private protected public require require_once return
static stdclass switch this throw trait true try use var virtual while xor yield .no __class__ __dir__ __file__
__function__ __line__ __method__ __namespace__ __trait__
@Ruby
.k BEGIN END alias begin break case class def do else elsif end ensure for if in next raise redo rescue retry return
super then undef unless until when while yield .no FILE Gemfile LINE MC QWx Rakefile Vagrantfile .kp attr
attr_accessor attr_reader attr_writer catch extend false include initialize loop module_function new nil private
protected public throw true .ow and not or
@Perl
.ow and cmp eq ge gt le lt ne not or .k BEGIN CHECK END INIT case continue do else elsif for foreach if last my new
next no our package print redo require reset return sub then unless until use while
@Lua
.kr break do else elseif end for function goto if in repeat return then until while .kd local .kc false nil true .ow
and not or
@S
.kc FALSE Inf LETTERS NA NULL NaN TRUE letters pi
@Julia
.k baremodule begin break catch ccall const continue do else elseif end export finally for function global if import
in isa let local macro module quote return try using where while .nb ARGS C_NULL DEPOT_PATH ENDIAN_BOM ENV Inf Inf16
Inf32 Inf64 InsertionSort LOAD_PATH MergeSort NaN NaN16 NaN32 NaN64 PROGRAM_FILE QuickSort RoundDown RoundFromZero
RoundNearest RoundNearestTiesAway RoundNearestTiesUp RoundToZero RoundUp VERSION devnull false im missing nothing pi
stderr stdin stdout true undef
@Scala
.k abstract asInstanceOf case catch class classOf def derives do else end enum export extends final finally for given
if implicit import isInstanceOf lazy match new object override package private protected return sealed synchronized
then throw trait try type while with yield .kc false null true .kd val var .bp super this
@Haskell
.ne error .kt ACK BEL BS CAN CR DC DEL DLE EM ENQ EOT ESC ETB FF FGRU HT LF NAK NUL OI SE SOH SP SUB SYN TX VT .kr
case class data default deriving do else family if import in infix instance let module newtype of then type where
@Elixir
.ow and in not or when .k after case catch cond do else end fn for if quote raise receive rescue super throw try
unless unquote unquote_splicing .kd def defcallback defdelegate defexception defimpl defmacro defmacrop defmodule defp
defprotocol defstruct .no false nil true .kn alias import require use .bp __CALLER__ __DIR__ __ENV__ __MODULE__
@Erlang
.ow and andalso band bnot bor bsl bsr bxor div not or orelse rem xor .k after begin case catch cond end fun if let of
query receive try when
@Clojure
.kd declare def- definline definterface defmacro defmethod defmulti defn defn- defonce defproject defprotocol
defrecord defstruct deftype ns .k def do fn if let loop new quote var
@OCaml
.k and as assert begin class constraint do done downto else end exception external for fun function functor if in
include inherit initializer lazy let match method module mutable new object of open private raise rec sig struct then
to try type val virtual when while with .ow asr land lor lsl lxor mod or .bp false true .kt array bool char float int
list string unit
@Dart
.k as assert break case catch const continue default do else export finally for if import in is library new part
rethrow return source super switch this throw try while .kd abstract async await class covariant extends extension
external factory final get implements late mixin native on operator required set static sync typedef var with yield
.kc false null true .kt Function Never Null Object String bool double dynamic int num void
@SQL
.nb array bigint binary bit blob boolean char character date dec decimal float int int8 integer interval number
numeric real serial serial8 smallint text varchar varying
@MySQL
.kt bigint binary bit blob bool boolean char date datetime dec decimal double enum fixed float float4 float8 geometry
geometrycollection int int1 int2 int3 int4 int8 integer json linestring long longblob longtext mediumblob mediumint
mediumtext middleint multilinestring multipoint multipolygon national nchar numeric nvarchar point polygon precision
real serial smallint text time timestamp tinyblob tinyint tinytext varbinary varchar varcharacter varying year .no
false null true unknown
@TOML
.kc false true
@Bash
.nb alias bg bind builtin caller cd command compgen complete declare dirs disown echo enable eval exec exit export
false fc fg getopts hash help history jobs kill let local logout popd printf pushd pwd read readonly set shift shopt
source suspend test time times trap true type typeset ulimit umask unalias unset wait .k break case continue do done
elif else esac fi for function if in return select then until while
@PowerShell
.k alias begin break catch cmdletbinding continue default do dynamicparam else elseif end filter finally for foreach
function helpmessage if in mandatory param parameter parametersetname position process ref return switch throw trap
try until validatecount validatelength validatepattern validaterange validateset valuefrompipeline
valuefrompipelinebypropertyname valuefromremainingarguments while
@Batchfile
.k assoc break call cd chdir cls color copy date del dir dpath echo endlocal erase exit for ftype goto if keys md
mkdir mklink move path pause popd prompt pushd rd ren rename rmdir set setlocal shift start time title type ver verify
vol
@Docker
.k FROM
@CMake
.k apple borland cygwin mingw msvc msvc60 msvc70 msvc71 msvc80 msvc90 msvc_ide unix win32
@Nginx configuration file
.k a-z- a-z0-9 include km nginx off on
@ApacheConf
.nb aconf alert all any apache apacheconf crit debug dns double email emerg error full group inetd info min minimal
none notice off on os productonly registry script standalone user warn
@GraphQL
.k ARGUMENT_DEFINITION ENUM ENUM_VALUE FIELD FIELD_DEFINITION FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT
INPUT_FIELD_DEFINITION INPUT_OBJECT INTERFACE MUTATION OBJECT QUERY SCALAR SCHEMA SUBSCRIPTION UNION directive enum
extend fragment implements input interface mutation query scalar schema subscription type union
@Protocol Buffer
.kt bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 string uint32 uint64 .k ctype
default extensions import max oneof option optional packed repeated required reserved returns rpc syntax to .kd enum
extend group message service .kn package .kc false true
@Terraform
.no false true .kt bool list map null number object set string tuple
@VimL
.k else elseif endfunction endif fun function if let py vim .nb NONE bold dark italic light underline
@Matlab
.k break case catch classdef continue dynamicprops else elseif end for function global if methods otherwise parfor
persistent properties return spmd switch try while
@Fortran
.kt c_bool c_char c_double c_double_complex c_float c_float_complex c_funptr c_int c_int16_t c_int32_t c_int64_t
c_int8_t c_int_fast16_t c_int_fast32_t c_int_fast64_t c_int_fast8_t c_int_least16_t c_int_least32_t c_int_least64_t
c_int_least8_t c_intmax_t c_intptr_t c_long c_long_double c_long_double_complex c_long_long c_ptr c_short
c_signed_char c_size_t character complex integer logical real
@Delphi
.k absolute and array as asm begin break case class const constructor continue destructor dispose div do downto else
end except exit exports false file finalization finally for function goto if implementation in inherited
initialization inline interface is label library mod new nil not object of on operator or packed procedure program
property raise record reintroduce repeat self set shl shr string then threadvar to true try type unit until uses var
while with xor .kt ansichar ansistring bool boolean byte bytebool cardinal char comp currency double dword extended
int64 integer iunknown longbool longint longword pansichar pansistring pbool pboolean pbyte pbytearray pcardinal pchar
pcomp pcurrency pdate pdatetime pdouble pdword pextended phandle pint64 pinteger plongint plongword pointer ppointer
pshortint pshortstring psingle psmallint pstring pvariant pwidechar pwidestring pword pwordarray pwordbool real real48
shortint shortstring single smallint tclass tdate tdatetime textfile thandle tobject ttime variant widechar widestring
word wordbool .nb abs arccos arctan cos cotan dec exp inc int logn pi pos str tan .kp abstract assembler cppdecl
default far far16 forward index oldfpccall private protected public published
@Ada
.kr abort abs abstract accept access aliased all array at begin body case constant declare delay delta digits do else
elsif end exception exit for goto if interface is limited loop new of or others out overriding pragma raise range
record renames requeue return reverse select separate some subtype synchronized tagged terminate then type until when
while xor .ow and in mod not rem .kt address boolean byte character controlled count cursor duration file_mode
file_type float generator integer long_float long_integer long_long_float long_long_integer natural positive
reference_type short_float short_integer short_short_float short_short_integer string wide_character wide_string .kc
false null true .kn use with .kd entry function generic package private procedure protected task
@NASM
.k absolute align bits common cpu endstruc export extern global group import library module org section segment struc
uppercase use16 use32 .ow abs rel seg strict wrt .kd dq times .kt byte word
@GAS
.no a-fA-F0-9 a-z0-9 a-zA-Z asm data gas lock rep xX
@verilog
.kt bit byte int logic longint real realtime reg shortint supply0 supply1 time tri tri0 tri1 triand trior trireg uwire
wand wire worshortreal
@vhdl
.kt bit bit_vector boolean character delay_length file_open_kind file_open_status integer natural positive
severity_level signed std_logic std_logic_vector std_ulogic std_ulogic_vector string time unsigned
@Solidity
.kt address block bool break bytes constant constructor continue contract do else external false for function hash if
import inherited int internal is library mapping memory modifier msg new payable private public require return returns
string struct suicide this throw true tx uint var while .nb keccak256
@Groovy
.k as assert break case catch continue default do else finally for goto if in instanceof new return switch this throw
try while .kd abstract class const enum extends final implements interface native private protected public static
strictfp super synchronized throws transient volatile .kt boolean byte char def double float int long short void .kc
false null true .kn import package
@Nix
.nb abort baseNameOf builtins derivation dirOf import isNull map removeAttrs throw toString .k assert else if in
inherit let rec then with .no false null true .ow and or
@Zig
.k and asm async await break cancel catch continue defer else enum errdefer error fn for if or orelse resume return
struct suspend switch test try union unreachable usingnamespace while .kt anyerror bool c_int c_long c_longdouble
c_longlong c_short c_uint c_ulong c_ulonglong c_ushort c_voidi8 comptime_float comptime_int f128 f16 f32 f64 i0 i128
i16 i32 i64 isize noreturn promise type u0 u128 u16 u32 u64 u8 usize void .kr align allowzero comptime const export
extern inline linksection nakedcc noalias packed pub stdcallcc threadlocal var volatile .kc false null true undefined
@Objective-C
.k _Alignas _Alignof _Generic _Imaginary _Noreturn _Pragma _Static_assert _Thread_local __autoreleasing __block
__bridge __bridge_transfer __strong __weak alignas alignof asm assign atomic auto break case class complex const
continue copy default do else enum extern for getter goto if imaginary in inout nonatomic noreturn out readonly
readwrite register release restricted retain return setter sizeof static static_assert strong struct switch
thread_local typedef typeof union unsafe_unretained volatile weak while .kr __inline _inline inline naked restrict
thread .nb FALSE NO NULL TRUE YES false nil self super true
@Awk
.nb ARGC ARGIND ARGV BEGIN CONVFMT END ENVIRON ERRNO FIELDWIDTHS FILENAME FNR FS IGNORECASE NF NR OFMT OFS ORFS
RLENGTH RS RSTART RT SUBSEP .kr atan2 close cos delete exp fflush gensub getline gsub index int length log match next
nextfile print printf rand sin split sprintf sqrt srand strftime sub substr system systime tolower toupper .k break
continue do else exit for if return while .kd function
@Common Lisp
.kt nil
@Scheme
.k else .nb inf nan not
@Tcl
.k after apply array break catch continue else elseif error eval expr for foreach global if namespace proc rename
return set switch then trace unset update uplevel upvar variable vwait while .nb append bgerror binary cd chan clock
close concat dde dict encoding eof exec exit fblocked fconfigure fcopy file fileevent flush format gets glob history
http incr info interp join lappend lassign lindex linsert list llength load loadTk lrange lrepeat lreplace lreverse
lsearch lset lsort mathfunc mathop memory msgcat open package pid pkg_mkIndex platform puts pwd re_syntax read refchan
regexp registry regsub scan seek socket source split string subst tell time tm unknown unload .ow eq in ne ni
@D
.k __gshared __parameters __traits __vector abstract alias align asm assert auto body break case cast catch class
const continue debug default delegate delete deprecated do else enum export extern final finally for foreach
foreach_reverse function goto if immutable import in inout interface invariant is lazy mixin module new nothrow out
override package pragma private protected public pure ref return scope shared static struct super switch synchronized
template this throw try typeid typeof union unittest version volatile while with .kp __DATE__ __EOF__
__FILE_FULL_PATH__ __FILE__ __FUNCTION__ __LINE__ __MODULE__ __PRETTY_FUNCTION__ __TIMESTAMP__ __TIME__ __VENDOR__
__VERSION__ .kt bool byte cdouble cent cfloat char creal dchar double float idouble ifloat int ireal long real short
ubyte ucent uint ulong ushort void wchar .kc false null true .nb dstring ptrdiff_t size_t string wstring .kr macro
@Crystal
.nb abort at_exit caller exit gets loop main pp print printf puts raise rand read_line sleep sprintf system .k
abstract alias annotation asm begin break case class def do else elsif end ensure enum extend fun if in include macro
next of private protected require rescue return select self struct super then type union unless until when while with
yield .bp debugger delegate forward_missing_to getter property record setter spawn .no MC .kp __DIR__ __END_LINE__
__FILE__ __LINE__ forall instance_sizeof offsetof out pointerof previous_def sizeof typeof uninitialized .kc false nil
true
@Nimrod
.k addr as asm bind block break case cast concept const continue converter defer discard distinct do elif else end
enum except export finally for func if interface iterator let macro method mixin object of out proc ptr raise ref
return static template try tuple type using when while yield .ow and div in is isnot mod not notin or shl shr xor .kp
false nil true .nb array bool char float float32 float64 int int16 int32 int64 int8 range seq set string
@VB.net
.ow addressof and andalso as gettype in is isnot like mod or orelse typeof xor .kt boolean byte char date decimal
double integer long object sbyte short string uinteger ulong ushort variant
`;
