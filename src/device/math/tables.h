// Written by fit.py; do not edit. Coefficients of the polynomials of trigonometry.cpp, erf.cpp, gamma.cpp and bessel.cpp.
#pragma once

namespace hip::device {

// (sin(r) / r - 1) / r^2 in r^2; 1.3e-20
inline constexpr double kSine[] = {
    -0x1.5555555555555p-3, 0x1.1111111111110p-7, -0x1.a01a01a019874p-13, 0x1.71de3a54490a5p-19, -0x1.ae6453ea500e5p-26,
    0x1.61215f5202763p-33, -0x1.ab05530beaaa0p-41};
// (cos(r) - 1 + r^2 / 2) / r^4 in r^2; 7.5e-22
inline constexpr double kCosine[] = {
    0x1.5555555555555p-5, -0x1.6c16c16c16c16p-10, 0x1.a01a01a019cb3p-16, -0x1.27e4fb77085d7p-22, 0x1.1eed8dd998dffp-29,
    -0x1.93949dd429729p-37, 0x1.ab67e51797e75p-45};
// gamma(1.5 + t), |t| <= 1/2; 1.4e-19
inline constexpr double kGammaRest = -0x1.618f13eb7ca89p-55; // of the first coefficient
inline constexpr double kGamma[] = {
    0x1.c5bf891b4ef6bp-1, 0x1.08ea88ee561b2p-5, 0x1.a8c4dba620d57p-2, -0x1.b77ac1ca2ec36p-4, 0x1.283bd374eb2dap-3,
    -0x1.3d88cfe501ad0p-4, 0x1.e022b74349385p-5, -0x1.374fd5ce815dep-5, 0x1.a752c6b194816p-6, -0x1.1a2c29007308cp-6,
    0x1.7991dcbf878d0p-7, -0x1.f7fc7c04512dbp-8, 0x1.504eca2779ba9p-8, -0x1.c09e6e65d05f1p-9, 0x1.2b2c7ea75c4c2p-9,
    -0x1.8f3ca7c3f1052p-10, 0x1.0a301c8ff5f16p-10, -0x1.5fd54421cbad4p-11, 0x1.d52144292085bp-12,
    -0x1.513093cab3125p-12, 0x1.c197ade68f084p-13, -0x1.61c720aac13b9p-14, 0x1.d7b524c422ef9p-15,
    -0x1.014c228143cdfp-13, 0x1.571048987b3f4p-14};
// gamma(x) / (sqrt(2 pi / x) (x / e)^x) in 1/x, x >= 20; 1.2e-20
inline constexpr double kStirling[] = {
    0x1.0000000000000p+0, 0x1.5555555555553p-4, 0x1.c71c71c7280f5p-9, -0x1.5f7268f6fee8dp-9, -0x1.e13ca853e3e39p-13,
    0x1.9b0c904deba94p-11, 0x1.28150bb4297b4p-14, -0x1.3f7ae3761ee21p-11, 0x1.18665e5d77561p-13};
// erfcx(0.5 + t), |t| <= 1/2; 5.6e-18
inline constexpr double kErfcxSmall[] = {
    0x1.3b3bc3c98b0f3p-1, -0x1.067f263ec85e7p-1, 0x1.6ff861544dbc7p-2, -0x1.c6ad7a6f37cf4p-3, 0x1.fc9a0571055d7p-4,
    -0x1.0605940f2e6f3p-4, 0x1.f7744f3383957p-6, -0x1.c71017354dde5p-7, 0x1.85b04a993c3a4p-8, -0x1.3de7217756c96p-9,
    0x1.f056c7c39ad76p-11, -0x1.7428ce5e7c884p-12, 0x1.0ce98121d9b97p-13, -0x1.775e4847fae74p-15,
    0x1.f87de3f80a34bp-17, -0x1.4b0743afe62d6p-18, 0x1.d78bdb0f34d96p-20, -0x1.23264e43f18b6p-21};
// (1 + 2 x) erfcx(x) in t = (x - 4) / (x + 4), x >= 1; 1.1e-17
inline constexpr double kErfcx[] = {
    0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a295p-3, 0x1.f7f5df66fd152p-7, 0x1.16ecefcfa5b25p-4, -0x1.9ddb23c3e5fedp-4,
    0x1.7fee004dfd96ap-4, -0x1.0fb06dfe8c01fp-4, 0x1.3079edf9d49abp-5, -0x1.0962387b58364p-6, 0x1.49c6715c7cd70p-8,
    -0x1.8d4a9d607cf5fp-11, -0x1.a1de32a44c3f9p-13, 0x1.3bdfe03f5e0f7p-13, -0x1.997611b2c3a41p-16,
    -0x1.784b1742393b1p-17, 0x1.8010fb3e761d1p-18, 0x1.2077003181eb5p-22, -0x1.bfc9704626ef2p-21,
    0x1.ec80103a2c7b0p-24, 0x1.a0cc8fc0fbc58p-24, -0x1.6a1d203d8a582p-25, 0x1.643816f427310p-28};
// erfinv(x) / x in x^2, |x| <= 0.5; 3.2e-12
inline constexpr double kErfinvCentre[] = {
    0x1.c5bf891b54674p-1, 0x1.db29faf8ee1a9p-3, 0x1.053c42cbf327ap-3, 0x1.627d488e1d035p-4, 0x1.0aa40c05cb55ap-4,
    0x1.9b21fcd671da6p-5, 0x1.b04ccce771a4cp-5, 0x1.44bc7137ecc9dp-11, 0x1.84e76b3f49de6p-4};
// erfcinv(exp(-s^2)) in s - 2, 0.8 <= s <= 3.2; 7.1e-8
inline constexpr double kErfcinvMiddle[] = {
    0x1.ab0e6446f7c40p+0, 0x1.0caf817a2eba9p+0, 0x1.d3fdd179be248p-11, -0x1.d4e405e5e671dp-8, 0x1.528613e382bd4p-8,
    -0x1.6c708dcd1fa63p-9, 0x1.483fdcfb5dcd4p-10, -0x1.0f1b6c5600db7p-11, 0x1.01f24268da6dbp-12,
    -0x1.789bd85733882p-14, -0x1.93078338280eap-18, 0x1.8059600610d1dp-17};
// erfcinv(exp(-s^2)) - s in 1/s, 3 <= s <= 28; 3.1e-6
inline constexpr double kErfcinvTail[] = {
    -0x1.a68577b285a41p-8, -0x1.19dc73566e9e8p+1, 0x1.fd473b89f6ab2p+3, -0x1.1523d431a9022p+7, 0x1.e1956baf570fap+9,
    -0x1.2782217f62661p+12, 0x1.e906a35823d9dp+13, -0x1.026d6f1c5ed5ep+15, 0x1.3a337e75f59bbp+15,
    -0x1.4dc9b5b626470p+14};
// J0(x) in x^2, x <= 2; 5.5e-17
inline constexpr double kJ0Small[] = {
    0x1.0000000000000p+0, -0x1.fffffffffffafp-3, 0x1.fffffffffde50p-7, -0x1.c71c71c66f69dp-12, 0x1.c71c718f70862p-18,
    -0x1.23455d78786abp-24, 0x1.02e6380371728p-31, -0x1.51a2305c04c87p-39, 0x1.3fdcfbf04a4fep-47};
// J0(x) in x - 3, 2 <= x <= 4; 2.8e-19
inline constexpr double kJ0From2[] = {
    -0x1.0a4b0f4642392p-2, -0x1.5b324589238d0p-2, 0x1.7e067bc94e12bp-3, 0x1.e367eaf0f26cep-6, -0x1.ba7379276c45ep-7,
    -0x1.01d105d5d69dbp-10, 0x1.9ea7be82f6303p-12, 0x1.273159767cc87p-16, -0x1.a96b885886a95p-18,
    -0x1.a6b88ca6802ecp-23, 0x1.14444b215de76p-24, 0x1.9e5a73e365671p-30, -0x1.ef9c2e1f3dde5p-32,
    -0x1.2752944bef4dep-37, 0x1.40a6982fd0afep-39, 0x1.3b9b93da91106p-45};
// J0(x) in x - 5, 4 <= x <= 6; 5.6e-20
inline constexpr double kJ0From4[] = {
    -0x1.6bb7db255cb89p-3, 0x1.4f70e7cb3a99dp-2, 0x1.cb156341bdc30p-5, -0x1.cbf85845f4ac5p-5, -0x1.bf94d78f6ed18p-10,
    0x1.4a5447fb7b023p-9, 0x1.77e24a9b8d7f0p-17, -0x1.c343e732ff702p-15, 0x1.ca1f717ad9278p-23, 0x1.6c0ec51548234p-21,
    -0x1.4fbe6a648637bp-28, -0x1.853d96764e824p-28, 0x1.a638b37548f95p-35, 0x1.287b40d04a37ap-35,
    -0x1.4b77150340d3dp-42, -0x1.4dc7a0be20afep-43};
// J0(x) in x - 7, 6 <= x <= 8; 2.4e-19
inline constexpr double kJ0From6[] = {
    0x1.3347faf45b2a3p-2, 0x1.32e4bdb5a9680p-8, -0x1.33f759179e666p-3, 0x1.a32d40bb7272bp-8, 0x1.8256c6008f04dp-7,
    -0x1.36fb1b8e86cc3p-11, -0x1.71fd3588e43e8p-12, 0x1.2101a5ee5cf4cp-16, 0x1.7be2e0d77bb15p-18,
    -0x1.1500cb1b2be37p-22, -0x1.ea3d6989c96e4p-25, 0x1.4a9ced9600a67p-29, 0x1.b3f43c506c8f2p-32,
    -0x1.0fbffa1fd3418p-36, -0x1.17930ea2ba28ep-39, 0x1.43459f2ef75cdp-44};
// J1(x)/x in x^2, x <= 2; 2.8e-18
inline constexpr double kJ1Small[] = {
    0x1.0000000000000p-1, -0x1.ffffffffffff0p-5, 0x1.5555555554e92p-9, -0x1.c71c71c6d6f42p-15, 0x1.6c16c155bb92bp-21,
    -0x1.845c81f75177dp-28, 0x1.27e3437ce044bp-35, -0x1.51bd0f06321b5p-43, 0x1.1dea3712e83e9p-51};
// J1(x) in x - 3, 2 <= x <= 4; 7.5e-20
inline constexpr double kJ1From2[] = {
    0x1.5b324589238d0p-2, -0x1.7e067bc94e12cp-2, -0x1.6a8df034b5d1ap-4, 0x1.ba7379276c606p-5, 0x1.4245474b4c3cep-8,
    -0x1.36fdcee24c81cp-9, -0x1.024b2e47a64d1p-13, 0x1.a96b887288fc1p-15, 0x1.db8f9e307f072p-20,
    -0x1.59556f3fcf094p-21, -0x1.1cde2b58be0d8p-26, 0x1.73c16d239293ep-28, 0x1.dfe2c862c8c46p-34,
    -0x1.1cfb27dbacd28p-35, -0x1.275b9d852eec1p-41, 0x1.42a5562b94c4fp-43};
// J1(x) in x - 5, 4 <= x <= 6; 2.7e-19
inline constexpr double kJ1From4[] = {
    -0x1.4f70e7cb3a99dp-2, -0x1.cb156341bdc2fp-4, 0x1.58fa423477813p-3, 0x1.bf94d78f6eb25p-8, -0x1.9ce959fa59b08p-7,
    -0x1.19e9b7f44c89ap-14, 0x1.8adb6a4c904eep-12, -0x1.ca1f71f55ef5ap-20, -0x1.99909dac00047p-18,
    0x1.a3ae2dd2e7006p-25, 0x1.0b9a52aa92253p-24, -0x1.3cb9002373b63p-31, -0x1.e1c485fdd85acp-32,
    0x1.273a34b4601d6p-38, 0x1.3856f45155544p-39, -0x1.7bf4d6bbde5c0p-46};
// J1(x) in x - 7, 6 <= x <= 8; 1.5e-19
inline constexpr double kJ1From6[] = {
    -0x1.32e4bdb5a9680p-8, 0x1.33f759179e667p-2, -0x1.3a61f08c95d5cp-6, -0x1.8256c6008f1bbp-5, 0x1.84b9e272285a5p-9,
    0x1.157de826bc5b1p-9, -0x1.f9c2e26103f2dp-14, -0x1.7be2e0edf7644p-15, 0x1.37a0e4727f9e1p-19, 0x1.326670f2942e9p-21,
    -0x1.c697bd06a2d3fp-26, -0x1.4701cd3bd3205p-28, 0x1.b99428d8e51b5p-33, 0x1.f0e1ebf078f02p-36,
    -0x1.2e7b7e4d45474p-40, -0x1.16e87cc345fd4p-43};
// Y0(x) - 2/pi log(x) J0(x); 2.7e-19
inline constexpr double kY0Small[] = {
    -0x1.2e4d699cbd01fp-4, 0x1.6bbcb41034286p-3, -0x1.075b1bbf41344p-6, 0x1.1a6206b7b8a6fp-11, -0x1.3e997941b072bp-17,
    0x1.bce4a5d9ec52cp-24, -0x1.a6ee6e59eb90dp-31, 0x1.2391e4cc5e1d4p-38, -0x1.309dd30bca358p-46,
    0x1.dba7707c09483p-55};
// Y0(x) in x - 3, 2 <= x <= 4; 1.9e-19
inline constexpr double kY0From2[] = {
    0x1.81e4f8120242ap-2, -0x1.4c7773d150462p-2, -0x1.13127c21922b4p-3, 0x1.0224f7ebcb4e7p-4, 0x1.24000057590cep-8,
    -0x1.135aa20c90d01p-9, -0x1.161ce77e2b94cp-12, 0x1.7b51c4d97ea91p-14, -0x1.3291e261fe79fp-17,
    0x1.67903940679e8p-19, -0x1.16666e61f3267p-20, 0x1.5507bf4bc8174p-22, -0x1.9c1ff1fe5d976p-24,
    0x1.fe6c5cf0350d6p-26, -0x1.3dd9a19e81a26p-27, 0x1.8bafa52088d66p-29, -0x1.f01031159e4d8p-31,
    0x1.44237edbb909dp-32, -0x1.993d998d13456p-34, 0x1.7e03d1c7ad0d0p-36, -0x1.e32a250b3818ep-38,
    0x1.72e0bee87103cp-38, -0x1.d999ac0d907b6p-40};
// Y0(x) in x - 5, 4 <= x <= 6; 9.8e-20
inline constexpr double kY0From4[] = {
    -0x1.3bec0b5abc9abp-2, -0x1.2ed2df29314fbp-3, 0x1.5a3454dedb22bp-3, 0x1.95f1aa26681e7p-7, -0x1.b9be97b4fc07dp-7,
    -0x1.40b0bbc143eb8p-13, 0x1.9b51235af1b25p-12, 0x1.3d4b278c016a8p-21, -0x1.b85df26847593p-18,
    0x1.27451e6621014p-24, 0x1.fcb8ae1ebb2e2p-25, 0x1.27cfc238892d6p-31, -0x1.6632bb18ee1d9p-31, 0x1.67de1c210a970p-35,
    -0x1.3e2f2f6cb97b9p-38, 0x1.654d38c139dd4p-40, -0x1.51a12f18a984ep-42, 0x1.f16f1c9ed7383p-45};
// Y0(x) in x - 7, 6 <= x <= 8; 1.2e-19
inline constexpr double kY0From6[] = {
    -0x1.a9291d6b706dbp-6, 0x1.35ee66725bb42p-2, -0x1.1b40f150cee47p-7, -0x1.916fa40609572p-5, 0x1.36515fcc5b5f2p-9,
    0x1.25c6e590b2706p-9, -0x1.d76aa2564cf57p-14, -0x1.8fc36a421dd85p-15, 0x1.2d7d80b5a6a9bp-19, 0x1.41ee9f9bcf288p-21,
    -0x1.c5c228283bcb9p-26, -0x1.535d437557dadp-28, 0x1.b2f788d122ff1p-33, 0x1.05b63c7d2957ap-35,
    -0x1.422d04e14d016p-40, -0x1.0d0b44ab404fap-43};
// (Y1(x) - 2/pi (log(x) J1(x) - 1/x)) / x; 1.2e-20
inline constexpr double kY1Small[] = {
    -0x1.91866143cbc8ap-3, 0x1.bd3975c75b4a7p-5, -0x1.835b97894be4fp-9, 0x1.2c7dbffcde4bfp-14, -0x1.0a780ac758123p-20,
    0x1.32e5a4cf864bdp-27, -0x1.f0ce2c9f8c1d5p-35, 0x1.2a4ca92ae4f07p-42, -0x1.1425d21f4ca06p-50,
    0x1.84da3247b22fdp-59};
// Y1(x) in x - 3, 2 <= x <= 4; 1.6e-18
inline constexpr double kY1From2[] = {
    0x1.4c7773d150462p-2, 0x1.13127c21922b4p-2, -0x1.833773e1b0f77p-3, -0x1.24000057592cbp-6, 0x1.58314a8fb9d8cp-7,
    0x1.a12b5b3d70200p-10, -0x1.4be78c4369d45p-11, 0x1.3291e242ba843p-14, -0x1.94823ae81d595p-16,
    0x1.5c000fb16bbb0p-17, -0x1.d4eb83332b40cp-19, 0x1.351755851e9dfp-20, -0x1.9ea2af67c10dep-22,
    0x1.1629588e35a90p-23, -0x1.7447fd8638612p-25, 0x1.ef2029a038de7p-27, -0x1.4aeb3538b3144p-28,
    0x1.d2b1976fe8c2bp-30, -0x1.37a8ada1fc177p-31, 0x1.165ef5b6b958ap-33, -0x1.73bb1f7af69ddp-35,
    0x1.5882f0906db4ap-35, -0x1.cbb83a4a92289p-37};
// Y1(x) in x - 5, 4 <= x <= 6; 3.7e-19
inline constexpr double kY1From4[] = {
    0x1.2ed2df29314fbp-3, -0x1.5a3454dedb22bp-2, -0x1.30753f9cce168p-5, 0x1.b9be97b4fbfb6p-5, 0x1.90dceab192c79p-11,
    -0x1.347cda842939ap-9, -0x1.15a1c291298fep-18, 0x1.b85df253939b2p-15, -0x1.4c2dc37391a78p-21,
    -0x1.3df35a1905831p-21, -0x1.96bc3824f226dp-28, 0x1.0c9c7f68561fap-27, -0x1.24733a789b7bfp-31,
    0x1.1bedf03e9bd8ap-34, -0x1.4dc0aaf61a763p-36, 0x1.1bbe5355ff0b6p-38, -0x1.0d75e3fec1110p-40,
    0x1.af971af7379d4p-43};
// Y1(x) in x - 7, 6 <= x <= 8; 3.3e-19
inline constexpr double kY1From6[] = {
    -0x1.35ee66725bb42p-2, 0x1.1b40f150cee4fp-6, 0x1.2d13bb0487014p-3, -0x1.36515fcc5b85fp-7, -0x1.6f389ef4def71p-7,
    0x1.618ff9c0d6d69p-11, 0x1.5dcafcf9c8518p-12, -0x1.2d7d80c8b3e8ep-16, -0x1.6a2c73814d2ddp-18,
    0x1.1b9965ca9a2f9p-22, 0x1.d2a0319138b83p-25, -0x1.4642a58c05002p-29, -0x1.a943b9ed5a4bbp-32,
    0x1.1d21b56e351a4p-36, 0x1.f719eb057ad96p-40, -0x1.d7fe85a72abffp-45};
// Hankel's P0 in (8/x)^2 - 5/8, 8 <= x <= 16; 1.8e-18
inline constexpr double kP0From8[] = {
    0x1.ffa7569657396p-1, -0x1.179f3082acb6fp-10, 0x1.91da720a54520p-16, -0x1.9edb7c3406b24p-20, 0x1.8870b2da0a8d2p-23,
    -0x1.153ae80eea6acp-25, 0x1.04d7b35665ff4p-27, -0x1.2fd5904a54e0dp-29, 0x1.a2e11418c359bp-31,
    -0x1.68e211ec0cf46p-32, 0x1.4323805aed144p-33};
// Hankel's P0 in (8/x)^2, x >= 16; 2.1e-19
inline constexpr double kP0From16[] = {
    0x1.0000000000000p+0, -0x1.1fffffffffd8cp-10, 0x1.cb5ffffbe0a33p-16, -0x1.251ee29ff8280p-19, 0x1.84b98ec1ea750p-22,
    -0x1.b766b0f902bc5p-24, 0x1.721012c4ada88p-25, -0x1.7998e050505c0p-26, 0x1.2125f2583a100p-27};
// Hankel's Q0 times x in (8/x)^2 - 5/8, 8 <= x <= 16; 1.3e-17
inline constexpr double kQ0From8[] = {
    -0x1.fd27376dddb62p-4, 0x1.1b8f493e4f13cp-10, -0x1.7ec139d0acfb8p-15, 0x1.1a78b7eb1cbbdp-18,
    -0x1.53d0e8c2f88c6p-21, 0x1.1e5282eeb869ap-23, -0x1.34cdb173b17e3p-25, 0x1.913dff8ec0bfdp-27,
    -0x1.2eeabb2b91deap-28, 0x1.1d746bd26f445p-29, -0x1.11604401bceb7p-30};
// Hankel's Q0 times x in (8/x)^2, x >= 16; 1.7e-18
inline constexpr double kQ0From16[] = {
    -0x1.0000000000000p-3, 0x1.2bfffffffec49p-10, -0x1.d11dffef6bf28p-15, 0x1.ba4c43d94e355p-18,
    -0x1.860f7cce7971bp-20, 0x1.12fdb677e4ed2p-21, -0x1.135e9306d64f1p-22, 0x1.3d03eba0eacb4p-23,
    -0x1.0421de1dbe29fp-24};
// Hankel's P1 in (8/x)^2 - 5/8, 8 <= x <= 16; 1.9e-18
inline constexpr double kP1From8[] = {
    0x1.004a22f438240p+0, 0x1.d52b723051f9bp-10, -0x1.05161f82869f7p-15, 0x1.f10e132eb70c3p-20, -0x1.c401e968d2e92p-23,
    0x1.37fdc23ef23acp-25, -0x1.211c3c87c4664p-27, 0x1.4d299d9bf804bp-29, -0x1.c7a217468e23ep-31,
    0x1.85c62d765602ep-32, -0x1.5b43a4d10eaf8p-33};
// Hankel's P1 in (8/x)^2, x >= 16; 2.2e-19
inline constexpr double kP1From16[] = {
    0x1.0000000000000p+0, 0x1.dfffffffffd64p-10, -0x1.274ffffdcec4fp-15, 0x1.5a6a52489dc65p-19, -0x1.b88e47c14df64p-22,
    0x1.e5ae9afaac9acp-24, -0x1.927a5bd975711p-25, 0x1.969f6ad7813d8p-26, -0x1.35c1db45edcbfp-27};
// Hankel's Q1 times x in (8/x)^2 - 5/8, 8 <= x <= 16; 1.4e-17
inline constexpr double kQ1From8[] = {
    0x1.7f0001be3c740p-2, -0x1.8fcc2793fa124p-10, 0x1.d8cc8e354fdd7p-15, -0x1.4a5a55ac84e07p-18, 0x1.81d3c485e5559p-21,
    -0x1.3f241a2d6c750p-23, 0x1.53e2582b926fep-25, -0x1.b59d8a3e037b3p-27, 0x1.4814397ef54d1p-28,
    -0x1.3333af7901335p-29, 0x1.24e482543a931p-30};
// Hankel's Q1 times x in (8/x)^2, x >= 16; 1.8e-18
inline constexpr double kQ1From16[] = {
    0x1.8000000000000p-2, -0x1.a3fffffffeb18p-10, 0x1.1c3cfff735e28p-14, -0x1.fe58018b465b4p-18, 0x1.b3f39aa3849f8p-20,
    -0x1.2d34639231264p-21, 0x1.299a534179726p-22, -0x1.53cd2808b5a40p-23, 0x1.159f29ade3b1dp-24};
// I0(x) in x^2, x <= 8; 3.2e-17
inline constexpr double kI0Small[] = {
    0x1.0000000000000p+0, 0x1.0000000000004p-2, 0x1.fffffffffff45p-7, 0x1.c71c71c71d358p-12, 0x1.c71c71c70ef94p-18,
    0x1.2345678a3b363p-24, 0x1.02e85c00c634fp-31, 0x1.522a448d1c138p-39, 0x1.522a3bdea4416p-47, 0x1.0b318351a4203p-55,
    0x1.55fceae2f697ap-64, 0x1.69fbf8016c6a9p-73, 0x1.401b06c070f1fp-82, 0x1.f72e4735e2d2fp-92, 0x1.05433b1b32441p-101,
    0x1.294193ed78270p-110};
// sqrt(x) exp(-x) I0(x) in 8/x - 3/4, 8 <= x <= 16; 8.6e-20
inline constexpr double kI0From8[] = {
    0x1.9d95f3db6c2d7p-2, 0x1.cb893ff82f005p-8, 0x1.4669d4382f9afp-11, 0x1.fddc9392208a6p-14, 0x1.782a343465395p-15,
    0x1.c6382e12ec21bp-16, 0x1.e254345ad3127p-17, -0x1.31b5aa6e182b2p-17, -0x1.fe4a0e88ffe15p-16,
    -0x1.7df348059e0bfp-17, 0x1.41aaa1fe69cb3p-15, 0x1.81060d3bdeda3p-16, -0x1.ea792bccaa6ffp-15,
    -0x1.63415c40c199ep-16, 0x1.8ded0f4b62961p-14, 0x1.3911712f9088dp-23, -0x1.c25641aee6961p-14};
// sqrt(x) exp(-x) I0(x) in 8/x, x >= 16; 4.7e-19
inline constexpr double kI0From16[] = {
    0x1.9884533d43650p-2, 0x1.9884533d44041p-8, 0x1.cb94dda215657p-12, 0x1.debb14d3471c6p-15, 0x1.6e861e514fc9ap-17,
    0x1.7358aa4b8717bp-19, 0x1.cb1bb1c16b851p-21, 0x1.cda6480901423p-22, -0x1.42bff7591891ep-22, 0x1.821ed759f6b60p-20,
    -0x1.7cc0a319c31a7p-19, 0x1.0cea9ce14d7e3p-18, -0x1.b60c8e24b7b5fp-19, 0x1.50f69308ba1f5p-20};
// I1(x) / x in x^2, x <= 8; 9.2e-19
inline constexpr double kI1Small[] = {
    0x1.0000000000000p-1, 0x1.0000000000001p-4, 0x1.5555555555540p-9, 0x1.c71c71c71c9ecp-15, 0x1.6c16c16c13a93p-21,
    0x1.845c8a0d26f80p-28, 0x1.27e4fb73f1ad7p-35, 0x1.522a443ba2a26p-43, 0x1.2c97552280795p-51, 0x1.ab8234c2c46fbp-60,
    0x1.f17258b099a34p-69, 0x1.e290ec0d14f98p-78, 0x1.8a6faa072cdf9p-87, 0x1.1dc3a22d140b2p-96, 0x1.1ec8e2d9b0ddbp-106,
    0x1.20de50ee937a2p-115};
// sqrt(x) exp(-x) I1(x) in 8/x - 3/4, 8 <= x <= 16; 8.5e-20
inline constexpr double kI1From8[] = {
    0x1.89b1add3254e2p-2, -0x1.470fe5abaa63dp-6, -0x1.01052113f1bb2p-10, -0x1.4ee22c1f843b3p-13,
    -0x1.c1904ecad65d6p-15, -0x1.02ea2e4a5f0e3p-15, -0x1.167df60a75d4cp-16, 0x1.240c35c516ddbp-17,
    0x1.0f952cc0d550cp-15, 0x1.cc15a4e77c195p-17, -0x1.4b1334de4e1f5p-15, -0x1.b944a0cce04cap-16,
    0x1.f5eebfcdfa085p-15, 0x1.abaf49dc93b8bp-16, -0x1.9b38a7e13eb01p-14, -0x1.16cec0d084f15p-18,
    0x1.d763da8bff232p-14};
// sqrt(x) exp(-x) I1(x) in 8/x, x >= 16; 5.1e-19
inline constexpr double kI1From16[] = {
    0x1.9884533d43651p-2, -0x1.32633e6df2b61p-6, -0x1.7efc0e07ed2cfp-11, -0x1.4f1c8e06462cep-14,
    -0x1.d73ef87e5f266p-17, -0x1.c5d4739186314p-19, -0x1.0fcf60dda9335p-20, -0x1.054f17ff1e3d9p-21,
    0x1.4b3200ba685b6p-22, -0x1.9a94bff1b55cfp-20, 0x1.93559b758f571p-19, -0x1.1cf7156475849p-18,
    0x1.cfd2af1a371fcp-19, -0x1.64d5c21b6ebfep-20};

} // namespace hip::device
